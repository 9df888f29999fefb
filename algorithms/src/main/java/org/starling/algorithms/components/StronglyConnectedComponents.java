package org.starling.algorithms.components;

import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Strongly connected components: sets of vertices each of which can be reached from each other one.
 * In an undirected graph these are its connected components.
 *
 * <p>Leaves three states: {@value #COMPONENT} ({@code long}: smallest ordinal in the vertex's
 * component) and the checker's witnesses {@value #AHEAD} and {@value #BEHIND} ({@code int}: when
 * the vertex was reached from its component's root, and when it was found to reach it).
 *
 * <p>Four programs in turn: {@link SccTrim} takes vertices away that nobody leads to or that lead
 * nowhere, {@link SccFlood} finds the component of one vertex of high degree, which in most graphs
 * is the giant, {@link SccColour} all others, and {@link ComponentsCensus} names and counts them.
 *
 * <p>Source: G. Slota, S. Rajamanickam, K. Madduri, "BFS and coloring-based parallel algorithms for
 * strongly connected components and related problems" (IPDPS 2014); trimming and the search both
 * ways from a pivot: W. McLendon, B. Hendrickson, S. Plimpton, L. Rauchwerger, "Finding strongly
 * connected components in distributed graphs" (JPDC 65, 2005).
 *
 * <p>Trimming and the giant cost O(n + m) messages. Colouring takes 2 log n + t rounds (base 2) but
 * with a probability of 2<sup>−t</sup>, whatever the graph; each costs O(m log n) messages,
 * expected, and so many supersteps as its longest way. A graph of {@link #SMALL_EDGES} edges or
 * less, for which supersteps would cost more than edges, is searched by {@link SccAlone} instead.
 */
public final class StronglyConnectedComponents {
    /** A graph of no more edges and vertices is searched on each node alone. */
    public static final int SMALL_EDGES = 1 << 20;

    /** Name of the state that holds components. */
    public static final String COMPONENT = ConnectedComponents.COMPONENT;

    /** Name of the state that says when a vertex was reached from its component's root. */
    public static final String AHEAD = "componentAhead";

    /** Name of the state that says when a vertex was found to reach its component's root. */
    public static final String BEHIND = "componentBehind";

    /** Component of vertices of which nothing is known yet. */
    static final long UNDECIDED = -2;

    private StronglyConnectedComponents() {}

    /**
     * Finds the components.
     *
     * @param verify whether to check the result afterwards, which costs a few looks at every edge
     * @throws org.starling.graph.InvalidInputException if there is no such graph
     * @throws JobFailedException if the check finds the result wrong
     */
    public static ConnectedComponents.Result run(
            GraphSession session, String graph, boolean verify) {
        return run(session, graph, SMALL_EDGES, verify);
    }

    /**
     * Finds the components.
     *
     * @param smallEdges a graph of no more edges and vertices is searched on each node alone
     */
    public static ConnectedComponents.Result run(
            GraphSession session, String graph, int smallEdges, boolean verify) {
        GraphInfo info = session.info(graph);
        RunResult census;
        if (info.storedEdges() <= smallEdges && info.vertices() <= smallEdges) {
            census = session.run(graph, SccAlone.NAME, Parameters.NONE);
        } else {
            session.run(graph, SccTrim.NAME, Parameters.NONE);
            session.run(graph, SccFlood.NAME, Parameters.NONE);
            session.run(graph, SccColour.NAME, Parameters.NONE);
            census = session.run(graph, ComponentsCensus.NAME, Parameters.NONE);
        }
        if (verify) {
            check(session, graph);
        }
        return ConnectedComponents.Result.of(census);
    }

    /**
     * Checks the states that a run left.
     *
     * @throws org.starling.graph.InvalidInputException if it left none
     * @throws JobFailedException if they are wrong
     */
    public static void check(GraphSession session, String graph) {
        SccCheck.require(session, graph);
        SccOrderCheck.require(session, graph);
    }
}
