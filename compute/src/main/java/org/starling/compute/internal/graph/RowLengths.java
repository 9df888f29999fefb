package org.starling.compute.internal.graph;

import java.util.Arrays;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * Own vertices by the length of their rows in one direction: none, short, or long.
 *
 * <p>A vertex with more than {@link #PIECE_EDGES} edges is a hub. Kernels go through its row in
 * pieces that any worker may take, so that a few hubs, which stand in one shard, keep no worker
 * busy while the others wait. Where a row is cut depends on the row alone: what is summed up piece
 * by piece is the same for any number of peers and workers. Immutable after construction, safe for
 * all threads. Costs a bit per vertex, two if there are hubs.
 */
public final class RowLengths implements AutoCloseable {
    /** Edges of a piece, and the most that a vertex may have without being a hub. */
    public static final int PIECE_EDGES = 1 << 13;

    private final Bitmap some;
    private final Bitmap few;
    private long[] hubs = {};
    private int[] firstEdges = {};
    private int pieces;
    private long edges;
    private long hubEdges;
    private long mostHubEdges;

    /** Looks at the rows of these shards, all of which are here. */
    RowLengths(Rows rows, ShardTable shards, int[] ownShards) {
        this.some = new Bitmap(shards.vertices());
        for (int shard : ownShards) {
            long hubEdgesBefore = hubEdges;
            for (long first = shards.first(shard); first < shards.end(shard); ) {
                long end = rows.pieceEnd(first);
                long entry = rows.entryAddress(first);
                for (; first < end; first++, entry += ChunkEntryLayout.ENTRY_BYTES) {
                    add(first, rows.layout().degreeOf(NativeMemory.getLong(entry)));
                }
            }
            mostHubEdges = Math.max(mostHubEdges, hubEdges - hubEdgesBefore);
        }
        this.few = pieces == 0 ? some : withoutHubs(shards, ownShards);
    }

    /** Vertices that have an edge. */
    public Bitmap some() {
        return some;
    }

    /** Vertices that have an edge and are no hubs. */
    public Bitmap few() {
        return few;
    }

    /** Bits kept for each vertex. */
    int bitmaps() {
        return few == some ? 1 : 2;
    }

    /** Edges of all own vertices. */
    public long edges() {
        return edges;
    }

    /** Edges of the hubs of the shard whose hubs have most. */
    public long mostHubEdges() {
        return mostHubEdges;
    }

    /** Number of pieces of all hubs; those of a hub follow one another, hubs ascend. */
    public int pieces() {
        return pieces;
    }

    /** Whose row a piece belongs to. */
    public long hub(int piece) {
        return hubs[piece];
    }

    /** Index in the row of a piece's first edge. */
    public int firstEdge(int piece) {
        return firstEdges[piece];
    }

    /** Index in the row behind a piece's last edge. */
    public int endEdge(int piece, int degree) {
        return Math.min(degree, firstEdges[piece] + PIECE_EDGES);
    }

    /** The first piece of a hub that is not below an ordinal; {@link #pieces} if there is none. */
    public int firstPiece(long ordinal) {
        int low = 0;
        int high = pieces;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (hubs[middle] < ordinal) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public void close() {
        some.close();
        few.close();
    }

    private void add(long ordinal, int degree) {
        if (degree > 0) {
            some.set(ordinal);
        }
        edges += degree;
        if (degree > PIECE_EDGES) {
            hubEdges += degree;
            for (int edge = 0; edge < degree; edge += PIECE_EDGES) {
                if (pieces == hubs.length) {
                    hubs = Arrays.copyOf(hubs, 2 * pieces + 16);
                    firstEdges = Arrays.copyOf(firstEdges, 2 * pieces + 16);
                }
                hubs[pieces] = ordinal;
                firstEdges[pieces++] = edge;
            }
        }
    }

    private Bitmap withoutHubs(ShardTable shards, int[] ownShards) {
        Bitmap bits = new Bitmap(shards.vertices());
        for (int shard : ownShards) {
            for (long word = shards.firstWord(shard); word < shards.endWord(shard); word++) {
                bits.setWord(word, some.word(word));
            }
        }
        for (int piece = 0; piece < pieces; piece++) {
            long word = hubs[piece] >>> Bitmap.WORD_SHIFT;
            bits.setWord(word, bits.word(word) & ~(1L << hubs[piece]));
        }
        return bits;
    }
}
