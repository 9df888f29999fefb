package org.starling.loaders;

/**
 * Edge source {@code ligra}: a word {@code AdjacencyGraph} or {@code WeightedAdjacencyGraph}, the
 * numbers of vertices and edges, the index of each vertex's first edge, the target of each edge,
 * and its weight, all with blanks or line ends between them. Ids are dense, from 0. Edges are
 * directed; a symmetric file lists each twice.
 *
 * <p>Parameters: {@code file} (absolute path), {@code weight} ({@code none} leaves weights out).
 * Such a file is one part, which several cursors read at the same time: nothing of it is kept.
 * Source of the format: Shun, Dhulipala, Blelloch: the Problem Based Benchmark Suite, graph I/O.
 */
public final class LigraProvider extends FormatProvider {
    public LigraProvider() {
        super(FileFormat.LIGRA);
    }
}
