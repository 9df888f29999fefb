package org.starling.algorithms.sssp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.graph.Team;

/**
 * What the workers of a node share in a search: labels, and vertices that wait to be looked at.
 *
 * <p>Labels of other nodes' vertices are what this node has offered them, so that it offers nothing
 * worse again. Labels only shrink. One for each node and run, safe for use by several threads;
 * costs 13 bytes for each vertex of the graph.
 */
final class Board {
    /** Bins of an epoch: how finely a node keeps the order of distances within it. */
    static final int BINS = 64;

    private static final VarHandle LABEL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle SCANNED = MethodHandles.arrayElementVarHandle(int[].class);

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

    private final Pile[] bins = new Pile[BINS];
    private final Pile[] far = {new Pile(), new Pile()};
    private final Pile settled = new Pile();
    private final AtomicInteger filled = new AtomicInteger();
    private final AtomicLong verticesHere = new AtomicLong();
    private volatile Round round = new Round(-1, 0);

    Board(int vertices) {
        labels = new long[vertices];
        scanned = new int[vertices];
        marks = new byte[vertices];
        Arrays.setAll(bins, _ -> new Pile());
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
            round = new Round(team.superstep(), team.size());
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

    /** Vertices whose distance is within a bin of this epoch. */
    Pile bin(int index) {
        return bins[index];
    }

    /** First bin that may have chunks; {@link #BINS} if none has. */
    int lowestBin() {
        int index = 0;
        while (index < BINS && bins[index].isEmpty()) {
            index++;
        }
        return index;
    }

    /** Vertices that earlier epochs have put off. */
    Pile waiting(int epoch) {
        return far[epoch & 1];
    }

    /** Vertices that are put off until the next epoch. */
    Pile putOff(int epoch) {
        return far[epoch + 1 & 1];
    }

    /** Vertices settled in this epoch. */
    Pile settled() {
        return settled;
    }

    /** A first look: whether there is something to take, from a pile or from bins. */
    boolean hasWork(Pile pile) {
        return !pile.isEmpty() || lowestBin() < BINS;
    }
}
