package org.starling.algorithms;

import java.util.ArrayList;
import java.util.List;
import org.starling.algorithms.cliques.CliqueBoundProgram;
import org.starling.algorithms.cliques.CliqueMembersCheck;
import org.starling.algorithms.cliques.MaximumProgram;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexId;

/**
 * Finds a largest clique of a graph.
 *
 * <p>Leaves the state {@code maximumClique} ({@code int}: 1 for its members, 0 for others). Of
 * several largest cliques it is one of those that a degeneracy order (equal degrees in the order of
 * ordinals) reaches last; which one depends on the graph alone, not on the number of peers and
 * threads.
 *
 * <p>Source: one sub-problem per vertex of a degeneracy order (Eppstein, Löffler and Strash, ISAAC
 * 2010), each solved by branch and bound with colours on bits (San Segundo, Rodríguez-Losada and
 * Jiménez, Comput. Oper. Res. 38, 2011); O(n 2^d) for degeneracy d at worst. Each node holds all
 * edges (4 bytes each).
 */
public final class MaximumClique {
    /** Calls of the check's search in a sub-problem, a second of work at worst. */
    static final int CHECK_CALLS = 1 << 16;

    private static final String SUBJECT = "maximum clique";

    private MaximumClique() {}

    /**
     * What was found.
     *
     * @param size number of members
     * @param members original ids, ascending
     * @param proven whether a check has shown that there is no larger one
     */
    public record Result(int size, List<Long> members, boolean proven) {
        /** Copies the list. */
        public Result {
            members = List.copyOf(members);
        }
    }

    /**
     * Finds a largest clique of an undirected graph.
     *
     * @param verify whether to check that the members are a clique that no vertex extends, and to
     *     show that there is no larger one, by bounds and, where these are not enough, by another
     *     search ({@link Result#proven()}; a sub-problem that would take it too long is left open)
     * @throws InvalidInputException if there is no such graph, or it is directed or too large
     * @throws JobFailedException if a check fails
     */
    public static Result run(GraphSession session, String graph, boolean verify) {
        GraphInfo info = session.info(graph);
        Undirected.require(session, graph, SUBJECT);
        OrientedGraph.requireFits(info, SUBJECT);
        session.run(graph, MaximumProgram.NAME, Parameters.NONE);
        List<Long> members = members(session, graph);
        boolean proven = false;
        if (verify) {
            check(session, graph);
            proven = isLargest(session, graph, members.size(), 0, CHECK_CALLS);
        }
        return new Result(members.size(), members, proven);
    }

    /**
     * Checks the state that a run left.
     *
     * @throws JobFailedException if it is wrong
     */
    static void check(GraphSession session, String graph) {
        RunResult run = session.run(graph, CliqueMembersCheck.NAME, Parameters.NONE);
        Verdict verdict = new Verdict(session, graph, SUBJECT, run);
        verdict.nobody(CliqueMembersCheck.STRANGERS, "does not see all other members");
        verdict.nobody(CliqueMembersCheck.OUTSIDERS, "sees all members and is none");
    }

    /**
     * Looks for a larger one.
     *
     * @param size of the one that was found
     * @param linkWeight only cliques count that hang together by edges of at least that weight:
     *     from each member one comes to each other one along such edges between members; 0 for all
     * @param maxCalls calls of the search after which a sub-problem is left open
     * @return whether it is certain that there is none
     * @throws JobFailedException if there is one
     */
    public static boolean isLargest(
            GraphSession session, String graph, int size, float linkWeight, int maxCalls) {
        Parameters known =
                Parameters.of(CliqueBoundProgram.SIZE, size)
                        .with(CliqueBoundProgram.LINK_WEIGHT, linkWeight)
                        .with(CliqueBoundProgram.MAX_CALLS, maxCalls);
        RunResult run = session.run(graph, CliqueBoundProgram.NAME, known);
        new Verdict(session, graph, SUBJECT, run)
                .nobody(
                        CliqueBoundProgram.LARGER,
                        "belongs to a clique of more than %d vertices".formatted(size));
        return run.longAggregate(CliqueBoundProgram.OPEN) == 0;
    }

    private static List<Long> members(GraphSession session, String graph) {
        List<Long> members = new ArrayList<>();
        try (StateCursor cursor = session.read(graph, MaximumProgram.MEMBER)) {
            while (cursor.next()) {
                if (cursor.asLong() == 1) {
                    members.add(cursor.id());
                }
            }
        }
        members.sort(VertexId.ASCENDING);
        return members;
    }
}
