package org.starling.loaders;

/**
 * Edge source {@code gap}: serialized graphs of the GAP Benchmark Suite, {@code .sg} and, with
 * weights, {@code .wsg}. A byte says whether edges are directed; then come, little-endian, the
 * number of stored edges, that of vertices (64 bits each), the index of each vertex's first edge
 * and behind them that number again (64 bits each), and the targets (32 bits), each followed by its
 * weight (32 bits) in a {@code .wsg}. A directed file holds the incoming edges behind that, which
 * are not read; an undirected one holds every edge twice, which is given once. Ids are dense, from
 * 0.
 *
 * <p>Parameters: {@code file} (absolute path), {@code directed} (whether edges of an undirected
 * file stand for both directions), {@code weight} ({@code none} leaves weights out), {@code
 * partBytes} (size of parts, 4 MiB).
 */
public final class GapProvider extends FormatProvider {
    public GapProvider() {
        super(FileFormat.GAP);
    }
}
