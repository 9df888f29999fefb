package org.starling.algorithms;

import java.util.Arrays;
import org.starling.graph.GraphSession;
import org.starling.graph.Histogram;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Breadth-first search from one vertex, along (outgoing) edges.
 *
 * <p>Leaves two states: {@value #LEVEL} ({@code int}: number of edges on a shortest path from the
 * source, -1 where there is none) and {@value #PARENT} ({@code long}: ordinal of a vertex before
 * this one on such a path; the source's parent is itself, -1 where there is none). Of several
 * possible parents the one with the smallest ordinal is taken, so results do not depend on the
 * number of peers.
 */
public final class Bfs {
    /** Name of the state that holds levels. */
    public static final String LEVEL = "level";

    /** Name of the state that holds parents. */
    public static final String PARENT = "parent";

    private Bfs() {}

    /**
     * What a search found.
     *
     * @param source original id of the vertex it started from
     * @param reached number of vertices reached, the source included
     * @param levels number of vertices by level, from level 0 (the source alone) to the last
     * @param verified whether the result was checked
     */
    @SuppressWarnings("ArrayRecordComponent") // a column of counts; nobody compares results
    public record Result(long source, long reached, long[] levels, boolean verified) {}

    /**
     * Searches.
     *
     * @param source original id of the vertex to start from
     * @param verify whether to check the result afterwards, which costs one look at every edge
     * @throws org.starling.graph.InvalidInputException if the graph has no such vertex
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(GraphSession session, String graph, long source, boolean verify) {
        RunResult search =
                session.run(graph, BfsProgram.NAME, Parameters.of(BfsProgram.SOURCE, source));
        long[] levels = levels(session, graph, search.supersteps(), Histogram.MAX_BUCKETS);
        if (verify) {
            BfsCheck.require(session, graph, source);
        }
        return new Result(source, Arrays.stream(levels).sum(), levels, verify);
    }

    /**
     * Counts the vertices of each level, as many levels at a time as a histogram has buckets.
     *
     * @param supersteps supersteps of the search; there are no more levels than these
     * @param window levels to count in one run
     */
    static long[] levels(GraphSession session, String graph, int supersteps, int window) {
        long[] levels = {};
        for (int first = 0; first < supersteps; first += window) {
            Parameters range = Parameters.of(BfsCensus.FIRST, first).with(BfsCensus.WINDOW, window);
            long[] counts =
                    session.run(graph, BfsCensus.NAME, range).histogram(BfsCensus.HISTOGRAM);
            if (counts.length > 0) {
                levels = Arrays.copyOf(levels, first + counts.length);
                System.arraycopy(counts, 0, levels, first, counts.length);
            }
        }
        return levels;
    }
}
