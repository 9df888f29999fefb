package org.starling.graph;

/**
 * A graph just made.
 *
 * @param graph what it is
 * @param skippedSelfLoops edges dropped because both ends were the same
 * @param skippedDuplicates edges dropped because an equal one was there (in an undirected graph, in
 *     either direction)
 * @param readSeconds time until all slaves had the edges in memory
 * @param constructionSeconds time from then until the graph stood
 */
public record BuildResult(
        GraphInfo graph,
        long skippedSelfLoops,
        long skippedDuplicates,
        double readSeconds,
        double constructionSeconds) {}
