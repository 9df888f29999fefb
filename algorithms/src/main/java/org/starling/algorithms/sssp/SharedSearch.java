package org.starling.algorithms.sssp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Team;

/**
 * What the workers of a node share in a search: labels, and vertices that wait to be looked at.
 *
 * <p>Labels of other nodes' vertices are what this node has offered them, so that it offers nothing
 * worse again. Labels only shrink. One for each node and run, safe for use by several threads;
 * costs 13 bytes for each vertex of the graph.
 */
final class SharedSearch {
    /** Bins of an epoch: how finely a node keeps the order of distances within it. */
    static final int BINS = 256;

    private static final VarHandle LABEL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle SCANNED = MethodHandles.arrayElementVarHandle(int[].class);

    /** Edges that a node looks at before it tells others what it has found. */
    private static final long EDGE_BUDGET = 1 << 20;

    /** What {@link #scanned} answers for a vertex that was never scanned. */
    static final int NEVER = 0;

    private static final byte HERE = 2;
    private static final byte QUEUED = 1;
    private static final int FILL_BLOCK = 1 << 16;

    private final long[] labels;

    /** Bits of a vertex's distance, plus one, when its edges were last looked at; or NEVER. */
    private final int[] scanned;

    /** Whether a vertex is of this node, and whether it is in a list that should have it once. */
    private final byte[] marks;

    /** Vertices within a bin of this epoch; a chunk belongs to whoever has taken it. */
    private final List<Deque<Chunk>> bins = new ArrayList<>();

    /** A bit for each bin that may have chunks; set behind every push. */
    private final AtomicLongArray occupied = new AtomicLongArray(BINS / Long.SIZE);

    private final List<Deque<Chunk>> far =
            List.of(new ConcurrentLinkedDeque<>(), new ConcurrentLinkedDeque<>());
    private final Deque<Chunk> settled = new ConcurrentLinkedDeque<>();
    private final AtomicInteger filled = new AtomicInteger();
    private final AtomicLong verticesHere = new AtomicLong();
    private volatile Round round = new Round(-1, 0, 0);

    SharedSearch(int vertices) {
        labels = new long[vertices];
        scanned = new int[vertices];
        marks = new byte[vertices];
        for (int bin = 0; bin < BINS; bin++) {
            bins.add(new ConcurrentLinkedDeque<>());
        }
    }

    /** Says that vertices belong to this node; before anything is offered. */
    void enter(int first, int end) {
        Arrays.fill(marks, first, end, HERE);
        verticesHere.addAndGet(end - first);
    }

    /** True if all vertices of the graph belong to this node. */
    boolean isWhole() {
        return verticesHere.get() == labels.length;
    }

    /** Makes all labels unreached; all workers share the work. */
    void fill() {
        int block;
        while ((block = filled.getAndIncrement()) <= labels.length / FILL_BLOCK) {
            int first = block * FILL_BLOCK;
            Arrays.fill(
                    labels, first, Math.min(labels.length, first + FILL_BLOCK), Label.UNREACHED);
        }
    }

    /** The round of a superstep, the same for all workers. */
    synchronized Round round(Team team) {
        if (round.superstep() != team.superstep()) {
            long budget = isWhole() ? Long.MAX_VALUE : EDGE_BUDGET;
            round = new Round(team.superstep(), team.size(), budget);
        }
        return round;
    }

    long label(int vertex) {
        return (long) LABEL.getOpaque(labels, vertex);
    }

    /** Lowers a label if it still is what it was. */
    boolean lower(int vertex, long from, long to) {
        return LABEL.compareAndSet(labels, vertex, from, to);
    }

    /**
     * What was noted of the last scan of a vertex. Two workers may see the same before they note.
     */
    int scanned(int vertex) {
        return (int) SCANNED.getOpaque(scanned, vertex);
    }

    /** Notes with which distance a vertex is being scanned. */
    void noteScan(int vertex, int note) {
        SCANNED.setOpaque(scanned, vertex, note);
    }

    boolean isHere(int vertex) {
        return (marks[vertex] & HERE) != 0;
    }

    /** Marks a vertex as queued; true if it was not. Two workers may both hear true. */
    boolean enqueue(int vertex) {
        byte mark = marks[vertex];
        marks[vertex] = (byte) (mark | QUEUED);
        return (mark & QUEUED) == 0;
    }

    /** Takes the mark away. */
    void dequeue(int vertex) {
        marks[vertex] &= ~QUEUED;
    }

    /** Adds vertices whose distances are within a bin of this epoch. */
    void push(int bin, Chunk chunk) {
        bins.get(bin).push(chunk);
        occupied.getAndUpdate(bin / Long.SIZE, bits -> bits | 1L << bin);
    }

    /** Takes vertices of a bin; null if there are none. */
    @Nullable Chunk poll(int bin) {
        Chunk taken = bins.get(bin).poll();
        if (taken == null) {
            occupied.getAndUpdate(bin / Long.SIZE, bits -> bits & ~(1L << bin));
            if (!bins.get(bin).isEmpty()) {
                occupied.getAndUpdate(bin / Long.SIZE, bits -> bits | 1L << bin);
            }
        }
        return taken;
    }

    /** First bin below {@code end} that may have chunks; {@code end} if none has. */
    int lowestBin(int end) {
        for (int word = 0; word * Long.SIZE < end; word++) {
            long bits = occupied.get(word);
            if (bits != 0) {
                return Math.min(end, word * Long.SIZE + Long.numberOfTrailingZeros(bits));
            }
        }
        return end;
    }

    /** Vertices that earlier epochs have put off. */
    Deque<Chunk> waiting(int epoch) {
        return far.get(epoch & 1);
    }

    /** Vertices that are put off until the next epoch. */
    Deque<Chunk> putOff(int epoch) {
        return far.get(epoch + 1 & 1);
    }

    /** Vertices settled in this epoch. */
    Deque<Chunk> settled() {
        return settled;
    }

    /** A first look: whether there is something to take, from chunks or from bins below one. */
    boolean hasWork(Deque<Chunk> chunks, int end) {
        return !chunks.isEmpty() || lowestBin(end) < end;
    }
}
