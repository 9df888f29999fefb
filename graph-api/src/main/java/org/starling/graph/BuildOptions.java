package org.starling.graph;

/**
 * How a graph is made of edges. Self-loops and duplicate edges are always dropped and counted.
 *
 * @param directed whether edges keep their direction
 * @param keepInputDegrees whether to keep, as the {@code int} state {@link #INPUT_DEGREE}, how many
 *     edges of the input touch each vertex, duplicates included, self-loops not
 * @param incoming whether rows of incoming edges are stored beside those of outgoing ones; always
 *     true in an undirected graph, where they are the same
 * @param wideNeighbours whether neighbours take 8 bytes in a graph whose ordinals would fit into 4;
 *     to try programs on what they will meet in larger ones
 */
public record BuildOptions(
        boolean directed, boolean keepInputDegrees, boolean incoming, boolean wideNeighbours) {
    /** Name of the state that {@code keepInputDegrees} makes. */
    public static final String INPUT_DEGREE = "inputDegree";

    /** An undirected graph. */
    public static final BuildOptions UNDIRECTED = new BuildOptions(false, false);

    /** A directed graph with rows of outgoing and of incoming edges. */
    public static final BuildOptions DIRECTED = new BuildOptions(true, false);

    /**
     * Checks that the options go together.
     *
     * @throws IllegalArgumentException if incoming edges are left out where they are needed: in an
     *     undirected graph, or to count input degrees
     */
    public BuildOptions {
        if (!incoming && !directed) {
            throw new IllegalArgumentException("an undirected graph has all edges in both rows");
        }
        if (!incoming && keepInputDegrees) {
            throw new IllegalArgumentException("input degrees are counted in both rows of edges");
        }
    }

    /** Options with rows of both directions, and neighbours as narrow as the graph allows. */
    public BuildOptions(boolean directed, boolean keepInputDegrees) {
        this(directed, keepInputDegrees, true, false);
    }

    /**
     * The same without rows of incoming edges: half the memory and construction of a directed
     * graph, for programs that only go along edges.
     *
     * @throws IllegalArgumentException if the graph is undirected, or input degrees are wanted
     */
    public BuildOptions withoutIncoming() {
        return new BuildOptions(directed, keepInputDegrees, false, wideNeighbours);
    }

    /** The same with neighbours of 8 bytes. */
    public BuildOptions withWideNeighbours() {
        return new BuildOptions(directed, keepInputDegrees, incoming, true);
    }
}
