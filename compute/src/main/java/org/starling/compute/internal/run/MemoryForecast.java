package org.starling.compute.internal.run;

import java.util.Arrays;
import java.util.Collection;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * What a run can take of a slave's native memory: columns, bitmaps, copies of other nodes' rows and
 * blocks on their way, from what the program declared and from the graph's size.
 *
 * <p>Reached when every vertex uses every column, and every channel is broadcast on; passed only by
 * pages that {@link ZeroedMemory} still holds from another use, and by how the kernel rounds. What
 * programs keep in objects of their own is not in it. Memory comes in pages, so a page counts whole
 * if one of the slave's shards lies in it. Immutable.
 */
public final class MemoryForecast {
    private static final long HUGE_PAGE_BYTES = 2L << 20;
    private static final int BITMAP_BITS = 1;
    private static final long MOST_BYTES = 1L << 56;

    /** Stands for the marks of a {@link VertexSet}, 1/64 of a bit per vertex. */
    private static final int MARK_BITS = 0;

    private final AdjacencyLayout rows;
    private final long[] ownBits;
    private final long[] sharedBits;
    private final boolean copiesRows;
    private final boolean sends;
    private final boolean sendsRecords;

    /** What all messages that are not combined take, on all slaves. */
    private final long recordBytes;

    private static final class Bits {
        private long[] bits = {};

        void add(long bitsPerVertex, int columns) {
            int before = bits.length;
            bits = Arrays.copyOf(bits, before + columns);
            Arrays.fill(bits, before, bits.length, bitsPerVertex);
        }
    }

    private MemoryForecast(
            AdjacencyLayout rows,
            Bits own,
            Bits shared,
            boolean copiesRows,
            boolean sends,
            boolean sendsRecords,
            long recordBytes) {
        this.sendsRecords = sendsRecords;
        this.recordBytes = recordBytes;
        this.rows = rows;
        this.ownBits = own.bits;
        this.sharedBits = shared.bits;
        this.copiesRows = copiesRows;
        this.sends = sends;
    }

    /**
     * A forecast for what a program has declared, on whatever node.
     *
     * @param startsSomewhere whether not all vertices start
     */
    static MemoryForecast of(RunContext declared, boolean startsSomewhere) {
        Bits own = new Bits(); // columns in which a slave writes its own vertices' values
        Bits shared = new Bits(); // columns in which it keeps all vertices' values
        Collection<Column> states = declared.usedStates();
        states.forEach(state -> own.add(Byte.SIZE * (long) state.type().width(), 1));
        for (ColumnJoin join : declared.joins) {
            if (declared.usedType(join.state()) == null) {
                own.add(Long.SIZE, 1); // the column's type is not known yet
            }
        }
        if (declared.readsEdges()) {
            own.add(Integer.SIZE, 1); // where rows begin
        }
        for (Channel channel : declared.channels) {
            long bits = Byte.SIZE * (long) channel.op().width();
            own.add(bits, 2);
            own.add(BITMAP_BITS, 2);
            shared.add(bits, channel.op().isVertex() ? 0 : 2);
            shared.add(BITMAP_BITS, 2);
            shared.add(MARK_BITS, 4);
        }
        for (Mirror mirror : declared.mirrors) {
            long bits = Byte.SIZE * (long) mirror.width();
            own.add(bits, 1);
            own.add(BITMAP_BITS, 1);
            shared.add(bits, 1);
            shared.add(MARK_BITS, 1);
        }
        long recordBytes = 0;
        for (RecordStream stream : declared.records) {
            own.add(Long.SIZE, 2);
            own.add(BITMAP_BITS, 2);
            shared.add(MARK_BITS, 2);
            recordBytes += bytesUnderWay(stream);
        }
        own.add(BITMAP_BITS, startsSomewhere ? 2 : 1);
        boolean sends =
                !declared.channels.isEmpty()
                        || !declared.mirrors.isEmpty()
                        || !declared.records.isEmpty();
        AdjacencyLayout rows =
                new AdjacencyLayout(declared.info.neighbourBytes(), declared.info.weighted());
        return new MemoryForecast(
                rows,
                own,
                shared,
                declared.usesWhole(),
                sends,
                !declared.records.isEmpty(),
                recordBytes);
    }

    /**
     * Bytes of messages that are received and of those that are sent meanwhile, as many, and where
     * the former stand. More than an address space holds is as bad as that.
     */
    private static long bytesUnderWay(RecordStream stream) {
        double bytes = (double) stream.messages() * (2 * stream.format().bytes() + Long.BYTES);
        return (long) Math.min(bytes, MOST_BYTES);
    }

    /** Whether a slave needs the rows of all vertices, those of other slaves copied. */
    public boolean copiesRows() {
        return copiesRows;
    }

    /**
     * Whether there are messages that are not combined: of those there may be more than foretold.
     */
    public boolean sendsRecords() {
        return sendsRecords;
    }

    /**
     * Bytes that the run can take on a slave.
     *
     * @param shards who owns what
     * @param node the slave
     * @param foreignNeighbours neighbours in the rows of other slaves; of no use unless {@link
     *     #copiesRows}
     * @param others number of other slaves
     * @param threads workers of this one
     */
    public long bytes(
            ShardTable shards, int node, long foreignNeighbours, int others, int threads) {
        int[] own = shards.shardsOf(node);
        long bytes = sends ? (long) threads * others * BlockLayout.MAX_BYTES : 0;
        for (long bits : ownBits) {
            bytes += columnBytes(bits, shards, own);
        }
        for (long bits : sharedBits) {
            bytes += regionBytes(bits, shards.vertices());
        }
        bytes += recordBytes(shards, node);
        return bytes + (copiesRows ? copyBytes(shards, own, foreignNeighbours) : 0);
    }

    /** The part of it that messages take which are not combined; shards get about as many each. */
    public long recordBytes(ShardTable shards, int node) {
        int own = shards.shardsOf(node).length;
        return (long) Math.ceil((double) recordBytes * own / Math.max(1, shards.count()));
    }

    /** Bytes of the pages of a column that hold values of some shards, given in ascending order. */
    private static long columnBytes(long bits, ShardTable shards, int[] own) {
        long region = regionBytes(bits, shards.vertices());
        long page =
                region >= NativeMemory.HUGE_PAGE_THRESHOLD_BYTES
                        ? HUGE_PAGE_BYTES
                        : NativeMemory.PAGE_BYTES;
        long pages = 0;
        long next = 0;
        for (int shard : own) {
            if (shards.size(shard) > 0) {
                long first = Math.max(next, shards.first(shard) * bits / Byte.SIZE / page);
                next = (shards.end(shard) * bits - 1) / Byte.SIZE / page + 1;
                pages += Math.max(0, next - first);
            }
        }
        return Math.min(pages * page, region);
    }

    private static long regionBytes(long bits, long vertices) {
        long bytes =
                bits == MARK_BITS
                        ? VertexSet.markBytes(vertices)
                        : bits == BITMAP_BITS
                                ? Bitmap.words(vertices) * Long.BYTES
                                : vertices * bits / Byte.SIZE;
        return Math.ceilDiv(bytes, NativeMemory.PAGE_BYTES) * NativeMemory.PAGE_BYTES;
    }

    private long copyBytes(ShardTable shards, int[] own, long foreignNeighbours) {
        long foreign = shards.vertices();
        for (int shard : own) {
            foreign -= shards.size(shard);
        }
        return foreignNeighbours * rows.edgeBytes()
                + foreign * (ChunkEntryLayout.ENTRY_BYTES + ChunkEntryLayout.MAX_HEADER_BYTES);
    }
}
