package org.starling.compute.internal.graph;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * The way from an ordinal to its row: the addresses of the chunk table's entries, run by run.
 *
 * <p>A shard's chunks have consecutive ids, so their table entries lie behind one another, page by
 * page; a <em>piece</em> is a run of entries that do. Kernels walk a piece's entries in order;
 * single look-ups take a few steps. Immutable after {@link Builder#build}, safe for all threads;
 * valid as long as the chunks are pinned.
 */
public final class Rows {
    private final ShardTable shards;
    private final AdjacencyLayout layout;
    private final long reciprocal;
    private final int[] firstPiece;
    private final long[] pieceFirst;
    private final long[] pieceEntry;

    private Rows(
            ShardTable shards,
            AdjacencyLayout layout,
            int[] firstPiece,
            long[] pieceFirst,
            long[] pieceEntry) {
        this.shards = shards;
        this.layout = layout;
        this.reciprocal = layout.reciprocal();
        this.firstPiece = firstPiece;
        this.pieceFirst = pieceFirst;
        this.pieceEntry = pieceEntry;
    }

    /** Collects pieces, shard by shard in ascending order. */
    public static final class Builder {
        private final ShardTable shards;
        private final int[] firstPiece;
        private long[] pieceFirst = new long[16];
        private long[] pieceEntry = new long[16];
        private int pieces;

        /** Starts with no shard present. */
        public Builder(ShardTable shards) {
            this.shards = shards;
            this.firstPiece = new int[shards.count()];
            Arrays.fill(firstPiece, -1);
        }

        /** Adds a piece: entries of consecutive ordinals from {@code first} on. */
        public Builder piece(long first, long entryAddress) {
            if (pieces + 1 >= pieceFirst.length) {
                pieceFirst = Arrays.copyOf(pieceFirst, 2 * pieces + 2);
                pieceEntry = Arrays.copyOf(pieceEntry, 2 * pieces + 2);
            }
            int shard = shards.shardOf(first);
            if (firstPiece[shard] < 0) {
                firstPiece[shard] = pieces;
            }
            pieceFirst[pieces] = first;
            pieceEntry[pieces++] = entryAddress;
            return this;
        }

        /** The finished rows. */
        public Rows build(AdjacencyLayout layout) {
            pieceFirst[pieces] = Long.MAX_VALUE;
            return new Rows(
                    shards,
                    layout,
                    firstPiece,
                    Arrays.copyOf(pieceFirst, pieces + 1),
                    Arrays.copyOf(pieceEntry, pieces + 1));
        }
    }

    /** True if this shard's rows are here. */
    public boolean hasShard(int shard) {
        return firstPiece[shard] >= 0 || shards.size(shard) == 0;
    }

    /** Address of an ordinal's table entry. */
    public long entryAddress(long ordinal) {
        int piece = pieceOf(ordinal);
        return pieceEntry[piece] + (ordinal - pieceFirst[piece]) * ChunkEntryLayout.ENTRY_BYTES;
    }

    /** First ordinal of the piece that an ordinal is in. */
    long pieceFirst(long ordinal) {
        return pieceFirst[pieceOf(ordinal)];
    }

    /** Ordinal behind the last one whose entry follows without a gap on {@code ordinal}'s. */
    public long pieceEnd(long ordinal) {
        int piece = pieceOf(ordinal);
        return Math.min(pieceFirst[piece + 1], shards.end(shards.shardOf(ordinal)));
    }

    /** Table entry of an ordinal. */
    public long entry(long ordinal) {
        return NativeMemory.getLong(entryAddress(ordinal));
    }

    /** Number of neighbours. */
    public int degree(long ordinal) {
        return AdjacencyLayout.degreeOf(entry(ordinal), reciprocal);
    }

    /** How rows are laid out. */
    public AdjacencyLayout layout() {
        return layout;
    }

    /** Number of neighbours in the rows of these shards, all of which are here. */
    long entries(int[] shardsHere) {
        return sum(shardsHere, layout::degreeOf);
    }

    /** Bytes of the blocks of the rows of these shards, all of which are here. */
    long blockBytes(int[] shardsHere) {
        return sum(
                shardsHere,
                entry -> ChunkEntryLayout.blockBytes(ChunkEntryLayout.payloadBytes(entry)));
    }

    private long sum(int[] shardsHere, LongUnaryOperator ofEntry) {
        long sum = 0;
        for (int shard : shardsHere) {
            for (long first = shards.first(shard); first < shards.end(shard); ) {
                long end = pieceEnd(first);
                long at = entryAddress(first);
                for (; first < end; first++, at += ChunkEntryLayout.ENTRY_BYTES) {
                    sum += ofEntry.applyAsLong(NativeMemory.getLong(at));
                }
            }
        }
        return sum;
    }

    private int pieceOf(long ordinal) {
        int piece = firstPiece[shards.shardOf(ordinal)];
        if (piece < 0) {
            throw new IllegalArgumentException("vertex " + ordinal + " is not on this node");
        }
        while (pieceFirst[piece + 1] <= ordinal) {
            piece++;
        }
        return piece;
    }
}
