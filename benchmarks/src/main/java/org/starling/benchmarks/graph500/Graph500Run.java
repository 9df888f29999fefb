package org.starling.benchmarks.graph500;

import org.jspecify.annotations.Nullable;

/**
 * Everything that was measured in a valid run.
 *
 * @param scale logarithm of the number of vertices
 * @param edgeFactor edges per vertex
 * @param peers number of peers
 * @param processes true if each peer was a process of its own
 * @param generationSeconds time until the edges were in memory
 * @param constructionSeconds kernel 1
 * @param validated whether construction and searches were checked
 * @param bfs kernel 2
 * @param sssp kernel 3; null if it was not run
 */
record Graph500Run(
        int scale,
        long edgeFactor,
        int peers,
        boolean processes,
        double generationSeconds,
        double constructionSeconds,
        boolean validated,
        Searches bfs,
        @Nullable Searches sssp) {}
