package org.starling.graph;

/** Makes edge sources of one kind. Found through {@link java.util.ServiceLoader}. */
public interface EdgeSourceProvider {
    /** Name of the kind, for example {@code edgelist} or {@code kronecker}. */
    String name();

    /**
     * A source; called on the master and on every slave with the same parameters. Cheap: nothing is
     * read yet.
     *
     * @throws InvalidInputException if the parameters make no sense
     */
    EdgeSource create(Parameters parameters);
}
