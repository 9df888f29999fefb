package org.starling.graph;

/**
 * Makes the instances of one program. Found through {@link java.util.ServiceLoader}; scripts and
 * drivers know only the name.
 */
public interface ProgramProvider {
    /** Name of the program, dotted, for example {@code algorithms.bfs}. */
    String name();

    /** A new instance. Called for each worker thread. */
    Program create(Parameters parameters);
}
