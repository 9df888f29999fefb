package org.starling.graph;

import java.util.List;

/**
 * A graph just made.
 *
 * @param graph what it is
 * @param skippedSelfLoops edges dropped because both ends were the same
 * @param skippedDuplicates edges dropped because an equal one was there (in an undirected graph, in
 *     either direction)
 * @param readSeconds time until all slaves had the edges in memory
 * @param constructionSeconds time from then until the graph stood
 * @param skippedLines lines of the source that made no sense and were passed over, because it was
 *     told to
 * @param firstSkipped what is wrong with the first of them
 */
public record BuildResult(
        GraphInfo graph,
        long skippedSelfLoops,
        long skippedDuplicates,
        double readSeconds,
        double constructionSeconds,
        long skippedLines,
        List<String> firstSkipped) {
    /** Copies the list. */
    public BuildResult {
        firstSkipped = List.copyOf(firstSkipped);
    }

    /** A graph for which no line was passed over. */
    public BuildResult(
            GraphInfo graph,
            long skippedSelfLoops,
            long skippedDuplicates,
            double readSeconds,
            double constructionSeconds) {
        this(
                graph,
                skippedSelfLoops,
                skippedDuplicates,
                readSeconds,
                constructionSeconds,
                0,
                List.of());
    }
}
