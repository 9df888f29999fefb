package org.starling.graph;

/**
 * A program that runs over the parts of a structure, for {@link Structures#each}. Every worker
 * thread of every peer has an instance of its own; which parts come to it is not said.
 */
public non-sealed interface PartProgram extends Program {
    /** A program over parts has no graph, and declares nothing. */
    @Override
    default void declare(Declaration graph) {}

    /** Reads one part. */
    void part(StructurePart part);
}
