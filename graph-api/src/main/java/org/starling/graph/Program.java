package org.starling.graph;

/**
 * User code that the engine runs over a graph in supersteps.
 *
 * <p>Every worker thread of every slave has an instance of its own, made by the same {@link
 * ProgramProvider} with the same parameters, and so has the master; fields need no synchronisation.
 */
public sealed interface Program permits VertexProgram, ShardProgram {
    /** Names everything the program needs. Called once, before anything else. */
    void declare(Declaration graph);

    /**
     * Called on the master's instance between supersteps. Here aggregators have the values of the
     * superstep just finished, and globals can be set for the next one.
     */
    default void afterSuperstep(Master master) {}
}
