package org.starling.graph;

/** Makes the instances of one program. */
@FunctionalInterface
public interface ProgramFactory {
    /** A new instance. Called for each worker thread, on every slave, with the same parameters. */
    Program create(Parameters parameters);
}
