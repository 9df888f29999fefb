package org.starling.compute.internal.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;

/**
 * Memory of a run's messages that are not combined, on one node: blocks of {@value #BLOCK_BYTES}
 * bytes, and lists of where messages stand. Knows how much of it the run may take, and refuses more
 * with a sentence. Guarded by its own lock, which is taken once for each block or list.
 */
final class RecordMemory implements AutoCloseable {
    static final int BLOCK_BYTES = 64 << 10;

    /** So many blocks are kept for the next superstep. */
    private static final int MAX_KEPT = 64;

    private final int node;
    private final long limitBytes;
    private final Deque<Long> kept = new ArrayDeque<>();
    private long usedBytes;
    private long mostBytes;

    RecordMemory(int node, long limitBytes) {
        this.node = node;
        this.limitBytes = limitBytes;
    }

    /** A block of any content. */
    synchronized long takeBlock() {
        count(BLOCK_BYTES);
        Long block = kept.poll();
        return block == null ? NativeMemory.reserve(BLOCK_BYTES) : block;
    }

    synchronized void giveBlock(long address) {
        usedBytes -= BLOCK_BYTES;
        if (kept.size() < MAX_KEPT) {
            kept.push(address);
        } else {
            NativeMemory.release(address, BLOCK_BYTES);
        }
    }

    /** A region for a list. */
    synchronized long takeList(long bytes) {
        count(bytes);
        return NativeMemory.reserve(bytes);
    }

    synchronized void giveList(long address, long bytes) {
        usedBytes -= bytes;
        NativeMemory.release(address, bytes);
    }

    /** The most that was taken at a time. */
    synchronized long mostBytes() {
        return mostBytes;
    }

    private void count(long bytes) {
        if (usedBytes + bytes > limitBytes) {
            throw new JobFailedException(
                    String.format(
                            Locale.ROOT,
                            "messages that are not combined need more than the %,d MiB of memory"
                                    + " that node %d has left for them; send fewer or smaller ones"
                                    + " in a superstep, combine them, or let more peers compute",
                            limitBytes >> 20,
                            node));
        }
        usedBytes += bytes;
        mostBytes = Math.max(mostBytes, usedBytes);
    }

    @Override
    public synchronized void close() {
        kept.forEach(block -> NativeMemory.release(block, BLOCK_BYTES));
        kept.clear();
    }
}
