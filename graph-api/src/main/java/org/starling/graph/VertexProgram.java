package org.starling.graph;

/**
 * A program seen from one vertex.
 *
 * <p>{@link #start} is called in superstep 0, for every vertex or for those named by {@link
 * Declaration#startAt}, and for a vertex that the program adds ({@link Topology}) in the first
 * superstep that has it. From superstep 1 on {@link #compute} is called for vertices that received
 * something. The program ends when nothing is on its way any more, or when {@link Master#halt()} is
 * called.
 */
public non-sealed interface VertexProgram extends Program {
    /** Superstep 0, or the first superstep of a vertex that was added. */
    void start(Vertex v);

    /** A later superstep in which {@code v} has received something, or all vertices are active. */
    void compute(Vertex v);
}
