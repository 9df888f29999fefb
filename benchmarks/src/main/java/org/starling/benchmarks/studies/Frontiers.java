package org.starling.benchmarks.studies;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the workers of a search share: bits of vertices that are visited, of those in the frontier
 * and of those in the next one, work to be claimed, sums, and a barrier at which all spin.
 *
 * <p>Bits are set with an atomic or by whoever owns the word in a phase; a phase ends at {@link
 * #await}.
 */
final class Frontiers {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int WORDS_PER_CLAIM = 64;
    private static final int ALPHA = 15;
    private static final int BETA = 18;

    final long[] visited;
    long[] frontier;
    long[] next;
    final int vertexCount;
    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicLong foundVertices = new AtomicLong();
    private final AtomicLong foundEdges = new AtomicLong();

    /** Written by the last worker at a barrier, read by all behind it. */
    private volatile int phase;

    boolean pulls;
    boolean done;
    private long vertices;
    private long edges;
    private long openEdges = -1;

    Frontiers(int vertices) {
        int words = (vertices + Long.SIZE - 1) / Long.SIZE;
        this.vertexCount = vertices;
        this.visited = new long[words];
        this.frontier = new long[words];
        this.next = new long[words];
    }

    /** Puts the root into the first frontier. */
    void start(int root, int degree) {
        visited[root >>> 6] |= 1L << root;
        frontier[root >>> 6] |= 1L << root;
        vertices = 1;
        edges = degree;
    }

    /** First word of a piece of work, which has {@link #end}; past all words if none is left. */
    int claim() {
        return claimed.getAndAdd(WORDS_PER_CLAIM);
    }

    /** Word behind the last of a piece. */
    int end(int first) {
        return Math.min(first + WORDS_PER_CLAIM, visited.length);
    }

    /** Sets a bit that others may be setting; true if this call did. */
    static boolean set(long[] bits, int vertex) {
        long bit = 1L << vertex;
        int word = vertex >>> 6;
        return (bits[word] & bit) == 0
                && ((long) WORDS.getAndBitwiseOr(bits, word, bit) & bit) == 0;
    }

    /** Adds to what the next frontier has. */
    void found(long moreVertices, long moreEdges) {
        foundVertices.addAndGet(moreVertices);
        foundEdges.addAndGet(moreEdges);
    }

    /**
     * Waits for all workers; the last one does {@code step} before anybody goes on.
     *
     * @param check called while waiting, to end a wait in vain
     */
    void await(int workers, Runnable check, Runnable step) {
        int before = phase;
        if (arrived.incrementAndGet() == workers) {
            arrived.set(0);
            step.run();
            phase = before + 1;
            return;
        }
        for (int spins = 1; phase == before; spins++) {
            Thread.onSpinWait();
            if (spins % (1 << 12) == 0) {
                check.run();
            }
        }
    }

    /** Decides how to go on from the frontier that stands; by one worker while the others wait. */
    void choose(long allEdges) {
        if (openEdges < 0) {
            openEdges = allEdges;
        }
        openEdges -= edges;
        pulls = pulls ? vertices * BETA >= vertexCount : edges * ALPHA > openEdges;
        done = vertices == 0;
        claimed.set(0);
    }

    /** Takes the next frontier; by one worker while the others wait. */
    void turn(long allEdges) {
        long[] old = frontier;
        frontier = next;
        next = old;
        vertices = foundVertices.getAndSet(0);
        edges = foundEdges.getAndSet(0);
        choose(allEdges);
        if (!pulls) {
            Arrays.fill(next, 0); // what was pulled from is left as it was
        }
    }
}
