package org.starling.graph;

/**
 * User code that the engine runs over a graph in supersteps, or over a structure ({@link
 * PartProgram}).
 *
 * <p>Every worker thread of every slave has an instance of its own, made by the same {@link
 * ProgramProvider} with the same parameters, and so has the master; fields need no synchronisation.
 */
public sealed interface Program permits VertexProgram, ShardProgram, PartProgram {
    /** Names everything the program needs. Called once, before anything else. */
    void declare(Declaration graph);

    /**
     * Called on the master's instance between supersteps. Here aggregators have the values of the
     * superstep just finished, and globals can be set for the next one.
     */
    default void afterSuperstep(Master master) {}

    /**
     * Whether a run that is interrupted by the loss of a peer may go on from a checkpoint, in new
     * instances whose first superstep is a later one than 0; otherwise it starts anew, as a run
     * whose text outputs are wanted always does.
     *
     * <p>Checkpoints have all that is in states, channels, mirrors, aggregators, histograms and
     * globals, and who has settled. A program that keeps more from superstep to superstep, in
     * fields or in {@link Declaration#perNode}, and can neither make it anew from these nor {@link
     * ShardProgram#save} it, says {@code false} here.
     */
    default boolean resumes() {
        return true;
    }
}
