package org.starling.algorithms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.algorithms.cliques.CliquesProgram;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;

/**
 * Finds the maximal cliques of a graph.
 *
 * <p>Source: Bron–Kerbosch over a degeneracy order (Eppstein, Löffler and Strash, ISAAC 2010) with
 * pivots (Tomita, Tanaka and Takahashi, 2006) on bits; O(d n 3^(d/3)) for degeneracy d. Each node
 * holds all edges twice (4 bytes each).
 */
public final class MaximalCliques {
    private static final long CHECK_SEED = 20_260_101L;

    private MaximalCliques() {}

    /**
     * What was found.
     *
     * @param maximalCliques number of maximal cliques that are large enough
     * @param maximumSize number of vertices of the largest; 0 if there is none
     * @param sizeHistogram number of cliques by number of vertices; sizes that do not occur are
     *     left out
     */
    public record Result(
            long maximalCliques, int maximumSize, SortedMap<Integer, Long> sizeHistogram) {
        /** Copies the histogram. */
        public Result {
            sizeHistogram = Collections.unmodifiableSortedMap(new TreeMap<>(sizeHistogram));
        }
    }

    /**
     * Finds the maximal cliques of an undirected graph. An isolated vertex is one of size 1.
     *
     * @param graph name of the graph
     * @param minimumSize smallest number of vertices, at least 1; smaller cliques are neither
     *     counted nor written
     * @param file where to write cliques, one per line, original ids ascending and separated by
     *     blanks; null for nowhere
     * @param verify whether to check a sample of cliques and of sub-problems, and the sums
     * @throws InvalidInputException if there is no such graph, it is directed or too large, or
     *     {@code minimumSize} is below 1
     * @throws JobFailedException if a check fails
     */
    public static Result run(
            GraphSession session,
            String graph,
            int minimumSize,
            @Nullable Path file,
            boolean verify) {
        GraphInfo info = session.info(graph);
        Undirected.require(session, graph, "clique search");
        OrientedGraph.requireFits(info, "clique search");
        if (minimumSize < 1) {
            throw new InvalidInputException(
                    "the minimum size of cliques is " + minimumSize + ", it must be at least 1");
        }
        Parameters parameters =
                Parameters.of(CliquesProgram.MINIMUM_SIZE, minimumSize)
                        .with(CliquesProgram.WRITE, file != null)
                        .with(CliquesProgram.VERIFY, verify)
                        .with(CliquesProgram.SEED, CHECK_SEED);
        RunOptions options =
                file == null
                        ? RunOptions.DEFAULT
                        : RunOptions.DEFAULT.withOutput(CliquesProgram.CLIQUES, file);
        RunResult run = session.run(graph, CliquesProgram.NAME, parameters, options);
        Result result = result(run.histogram(CliquesProgram.SIZES));
        if (verify) {
            Verdict verdict = new Verdict(session, graph, "maximal cliques", run);
            verify(verdict, run, result, file == null ? null : lines(file));
        }
        return result;
    }

    private static Result result(long[] sizes) {
        TreeMap<Integer, Long> histogram = new TreeMap<>();
        long sum = 0;
        for (int size = 0; size < sizes.length; size++) {
            if (sizes[size] != 0) {
                histogram.put(size, sizes[size]);
                sum += sizes[size];
            }
        }
        return new Result(sum, histogram.isEmpty() ? 0 : histogram.lastKey(), histogram);
    }

    /**
     * Judges what the samples gave, and the sums.
     *
     * @param lines number of lines written; null if none were wanted
     * @throws JobFailedException with the first contradiction found
     */
    static void verify(Verdict verdict, RunResult run, Result result, @Nullable Long lines) {
        long wrong = run.longAggregate(CliquesProgram.WRONG);
        verdict.all(
                wrong == 0, "%d sets of a sample are no cliques, or not maximal".formatted(wrong));
        long miscounted = run.longAggregate(CliquesProgram.MISCOUNTED);
        verdict.all(
                miscounted == 0,
                "%d of %d sub-problems solved again have another number of cliques"
                        .formatted(miscounted, run.longAggregate(CliquesProgram.RECOUNTED)));
        long found = run.longAggregate(CliquesProgram.FOUND);
        verdict.all(
                found == result.maximalCliques(),
                "the sizes add up to %d cliques, but %d were found"
                        .formatted(result.maximalCliques(), found));
        verdict.all(
                lines == null || lines == found,
                "%d lines were written for %d cliques".formatted(lines, found));
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException | UncheckedIOException e) {
            throw new JobFailedException("cannot read " + file + " to check it", e);
        }
    }
}
