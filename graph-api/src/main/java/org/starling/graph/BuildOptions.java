package org.starling.graph;

/**
 * How a graph is made of edges. Self-loops and duplicate edges are always dropped and counted.
 *
 * @param directed whether edges keep their direction
 * @param keepInputDegrees whether to keep, as the {@code int} state {@link #INPUT_DEGREE}, how many
 *     edges of the input touch each vertex, duplicates included, self-loops not
 */
public record BuildOptions(boolean directed, boolean keepInputDegrees) {
    /** Name of the state that {@code keepInputDegrees} makes. */
    public static final String INPUT_DEGREE = "inputDegree";

    /** An undirected graph. */
    public static final BuildOptions UNDIRECTED = new BuildOptions(false, false);

    /** A directed graph. */
    public static final BuildOptions DIRECTED = new BuildOptions(true, false);
}
