package org.starling.algorithms;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.starling.algorithms.betweenness.BetweennessCheckProgram;
import org.starling.algorithms.betweenness.BetweennessProgram;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexId;

/**
 * Betweenness: over how many shortest paths between other vertices a vertex lies, every pair of
 * them counting 1 in all. Edges count 1, whatever their weights.
 *
 * <p>Leaves the {@code double} state {@value #BETWEENNESS}. Over {@linkplain #all() all} sources
 * that is the sum over pairs, of which undirected graphs count each once; over a {@linkplain
 * #samples sample} of k sources out of n it is an estimate of the same, n / k times the sum over
 * these (Brandes, Pich, "Centrality estimation in large networks", 2007); over {@linkplain #from
 * given} sources it is the plain sum of their dependencies. Not normalised. The same for any number
 * of peers and threads, bit by bit.
 *
 * <p>Source: U. Brandes, "A faster algorithm for betweenness centrality" (2001). O(m) for each
 * source. Numbers of paths are {@code double}: exact up to 2^53, rounded beyond.
 */
public final class Betweenness {
    /** Name of the state that holds scores. */
    public static final String BETWEENNESS = BetweennessProgram.BETWEENNESS;

    /** Relative difference that the order of summation may make. */
    private static final double TOLERANCE = 1e-9;

    private final Kind kind;
    private final long[] sourceIds;
    private final int sampleSize;
    private final long seed;

    private enum Kind {
        ALL,
        SAMPLE,
        GIVEN
    }

    private Betweenness(Kind kind, long[] sourceIds, int sampleSize, long seed) {
        this.kind = kind;
        this.sourceIds = sourceIds;
        this.sampleSize = sampleSize;
        this.seed = seed;
    }

    /**
     * What was computed.
     *
     * @param sources number of sources that paths were counted from
     * @param sum sum of all scores
     * @param top best vertices, best first, equal ones by ascending id
     * @param verified whether the result was checked
     */
    public record Result(long sources, double sum, List<Score> top, boolean verified) {
        /** Copies the list. */
        public Result {
            top = List.copyOf(top);
        }
    }

    /** From all vertices: exact. */
    public static Betweenness all() {
        return new Betweenness(Kind.ALL, new long[0], 0, 0);
    }

    /**
     * From a sample: an estimate.
     *
     * @param count number of sources, at least 1; all if the graph has no more
     * @param seed what the choice depends on, and nothing else
     */
    public static Betweenness samples(int count, long seed) {
        if (count < 1) {
            throw new InvalidInputException("betweenness needs 1 sample at least, found " + count);
        }
        return new Betweenness(Kind.SAMPLE, new long[0], count, seed);
    }

    /**
     * From given vertices.
     *
     * @param ids original ids, each once
     */
    public static Betweenness from(long... ids) {
        if (ids.length == 0 || Arrays.stream(ids).distinct().count() < ids.length) {
            throw new InvalidInputException(
                    "betweenness needs one source at least, and each once, found "
                            + Arrays.stream(ids).mapToObj(VertexId::text).toList());
        }
        return new Betweenness(Kind.GIVEN, ids.clone(), 0, 0);
    }

    /**
     * Computes the scores.
     *
     * @param top how many of the best vertices to report
     * @param verify whether to check the result. For one source of 16, and 64 at most, it proves at
     *     every vertex, by its neighbours, that it got its share. Of all sources it proves that
     *     scores add up to what the distances between them and other vertices demand, which it
     *     finds for 64 at a time, that none is negative, and that no end of paths has one
     * @throws InvalidInputException if the graph has no vertex of such an id
     * @throws JobFailedException if a check fails, or two vertices have more than 1.8e308 shortest
     *     paths between them
     */
    public Result run(GraphSession session, String graph, int top, boolean verify) {
        GraphInfo info = session.info(graph);
        long[] ordinals = ordinals(session, info);
        double factor = factor(info, ordinals.length);
        if (ordinals.length == 0) {
            throw new InvalidInputException("graph \"%s\" has no vertices".formatted(graph));
        }
        Parameters sources =
                kind == Kind.ALL
                        ? Parameters.NONE
                        : Parameters.of(BetweennessProgram.SOURCES, ordinals);
        RunResult run =
                session.run(
                        graph,
                        BetweennessProgram.NAME,
                        sources.with(BetweennessProgram.FACTOR, factor)
                                .with(BetweennessProgram.VERIFY, verify));
        if (Double.isInfinite(run.doubleAggregate(BetweennessProgram.MOST_PATHS))) {
            throw new JobFailedException(
                    ("betweenness of graph \"%s\" cannot be computed: two of its vertices have more"
                                    + " than 1.8e308 shortest paths between them")
                            .formatted(graph));
        }
        if (verify) {
            requireShares(session, graph, run);
            require(session, graph, sources, factor);
        }
        return new Result(
                ordinals.length,
                run.doubleAggregate(BetweennessProgram.SUM),
                best(session, graph, top),
                verify);
    }

    /** Refuses if a source that was judged gave somebody a false share. */
    static void requireShares(GraphSession session, String graph, RunResult run) {
        new Verdict(session, graph, "betweenness", run)
                .nobody(
                        BetweennessProgram.FALSE_SHARE,
                        "has another share of a source's paths than its neighbours demand");
    }

    /**
     * Checks the state.
     *
     * @param sources parameters that name the sources, as those of the program do
     * @param factor what sums were multiplied by
     */
    static void require(GraphSession session, String graph, Parameters sources, double factor) {
        RunResult run = session.run(graph, BetweennessCheckProgram.NAME, sources);
        Verdict verdict = new Verdict(session, graph, "betweenness", run);
        verdict.nobody(BetweennessCheckProgram.FALSE_SCORE, "has a score that is none");
        verdict.nobody(
                BetweennessCheckProgram.FALSE_END, "has a score although no path leads over it");
        double expected = run.longAggregate(BetweennessCheckProgram.BETWEEN) * factor;
        double sum = run.doubleAggregate(BetweennessCheckProgram.SUM);
        verdict.all(
                Math.abs(sum - expected) <= TOLERANCE * Math.max(1, expected),
                "all scores add up to %s, but distances demand %s".formatted(sum, expected));
    }

    private long[] ordinals(GraphSession session, GraphInfo info) {
        return switch (kind) {
            case ALL -> {
                long[] all = new long[Math.toIntExact(info.vertices())];
                Arrays.setAll(all, i -> i);
                yield all;
            }
            case SAMPLE -> sample(info.vertices());
            case GIVEN ->
                    Arrays.stream(sourceIds).map(id -> session.ordinal(info.name(), id)).toArray();
        };
    }

    /** Ordinals without repetition, ascending (R. W. Floyd's method). */
    private long[] sample(long vertices) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeSet<Long> chosen = new TreeSet<>();
        for (long last = Math.max(0, vertices - sampleSize); last < vertices; last++) {
            long drawn = random.nextLong(last + 1);
            chosen.add(chosen.contains(drawn) ? last : drawn);
        }
        return chosen.stream().mapToLong(Long::longValue).toArray();
    }

    private double factor(GraphInfo info, int sources) {
        if (kind == Kind.GIVEN) {
            return 1;
        }
        double scale = (double) info.vertices() / Math.max(1, sources);
        return info.directed() ? scale : scale / 2;
    }

    private static List<Score> best(GraphSession session, String graph, int top) {
        Ranking ranking = new Ranking(top);
        try (StateCursor scores = session.read(graph, BETWEENNESS)) {
            while (scores.next()) {
                ranking.offer(scores.id(), scores.asDouble());
            }
        }
        return ranking.bestFirst();
    }
}
