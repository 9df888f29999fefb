package org.starling.compute.internal.build;

import java.util.Arrays;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.net.NativeMemory;

/**
 * From ranks of ids to ordinals: vertices with many edges come first.
 *
 * <p>Vertices are grouped by their degree, in powers of two of the average, and stand in the order
 * of ids inside a group ("degree-based grouping", Faldu, Diamond and Grot, "A Closer Look at
 * Lightweight Graph Reordering", IISWC 2019). So values of vertices that are read often share cache
 * lines, a row begins with its greatest neighbours, and neighbourhood that lies in the ids is kept.
 * Here a degree is the number of ends of edges, duplicates and both directions included.
 *
 * <p>Owned by a build. Takes 4 bytes per vertex, or 8 where rows are wide, for ordinals and 4 for
 * counts of each worker, up to {@value #MAX_LANES}: workers that count hubs in the same words would
 * wait for each other.
 */
final class VertexOrder implements AutoCloseable {
    /** Number of groups: 32 powers of two, all that are below half of the average, and 0 edges. */
    static final int GROUPS = Integer.SIZE + 2;

    private static final int MAX_LANES = 8;
    private static final int LOW = GROUPS - 2;
    private static final int NONE = GROUPS - 1;

    private final long vertices;
    private final long averageDegree;
    private final boolean isShared;
    private final Column[] lanes;
    private final Column degrees;
    private final Column ordinals;
    private final int ordinalBytes;

    /**
     * Starts with no edges.
     *
     * @param vertices number of vertices
     * @param averageDegree ends of edges per vertex, at least 1
     * @param workers how many will count
     * @param ordinalBytes bytes of an ordinal
     */
    VertexOrder(long vertices, long averageDegree, int workers, int ordinalBytes) {
        this.vertices = vertices;
        this.averageDegree = averageDegree;
        this.isShared = workers > MAX_LANES;
        this.lanes = new Column[Math.min(workers, MAX_LANES)];
        Arrays.setAll(lanes, _ -> new Column("degree", ColumnType.INT, vertices));
        this.degrees = lanes[0];
        this.ordinalBytes = ordinalBytes;
        this.ordinals =
                new Column(
                        "ordinal",
                        ordinalBytes == Integer.BYTES ? ColumnType.INT : ColumnType.LONG,
                        vertices);
    }

    /** Number of vertices. */
    long vertices() {
        return vertices;
    }

    /** Counts an end of an edge that a worker has read. */
    void countRead(int worker, long rank) {
        long at = lanes[worker % lanes.length].address() + rank * Integer.BYTES;
        if (isShared) {
            NativeMemory.getAndAddInt(at, 1);
        } else {
            NativeMemory.putInt(at, NativeMemory.getInt(at) + 1);
        }
    }

    /** Adds up what workers have counted of these ranks, when all have finished. */
    void addUp(long from, long end) {
        for (int lane = 1; lane < lanes.length; lane++) {
            for (long rank = from; rank < end; rank++) {
                degrees.set(rank, degrees.get(rank) + lanes[lane].get(rank));
            }
        }
    }

    /** Counts ends of edges that another slave has read; any thread. */
    void count(long rank, int ends) {
        NativeMemory.getAndAddInt(degrees.address() + rank * Integer.BYTES, ends);
    }

    /** Ends counted at that rank. */
    int degree(long rank) {
        return (int) degrees.get(rank);
    }

    /**
     * Vertices in each group, of ranks from {@code from} (inclusive) to {@code end} (exclusive).
     */
    long[] groupSizes(long from, long end) {
        long[] sizes = new long[GROUPS];
        for (long rank = from; rank < end; rank++) {
            sizes[group(degree(rank))]++;
        }
        return sizes;
    }

    /**
     * Gives ranks from {@code from} (inclusive) to {@code end} (exclusive) their ordinals.
     *
     * @param firsts ordinal of the first of them in each group
     */
    void assign(long from, long end, long[] firsts) {
        long[] next = firsts.clone();
        for (long rank = from; rank < end; rank++) {
            ordinals.set(rank, next[group(degree(rank))]++);
        }
    }

    /** Sets the ordinal that another slave has given to a rank. */
    void set(long rank, long ordinal) {
        ordinals.set(rank, ordinal);
    }

    /** Ordinal of a rank. */
    long ordinal(long rank) {
        return AdjacencyLayout.load(ordinals.address() + rank * ordinalBytes, ordinalBytes);
    }

    /** Ends of edges of these ranks, by granule of ordinals. */
    long[] endsByGranule(long from, long end, int granuleShift) {
        long[] sums = new long[(int) ((vertices + (1L << granuleShift) - 1) >>> granuleShift)];
        for (long rank = from; rank < end; rank++) {
            sums[(int) (ordinal(rank) >>> granuleShift)] += Integer.toUnsignedLong(degree(rank));
        }
        return sums;
    }

    @Override
    public void close() {
        for (Column lane : lanes) {
            lane.close();
        }
        ordinals.close();
    }

    private int group(int degree) {
        if (degree == 0) {
            return NONE;
        }
        long halves = 2 * Integer.toUnsignedLong(degree) / averageDegree;
        return halves == 0 ? LOW : Math.max(0, Long.numberOfLeadingZeros(halves) - Integer.SIZE);
    }
}
