package org.starling.store.internal.log;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory for blocks that are being filled or wait to be written, of all logs of a peer:
 * bounded, so that a disk slower than the stream slows the stream down. Thread-safe.
 */
final class BlockPool implements AutoCloseable {
    /** Waiting for memory looks up this often, whether it was told to or not. */
    private static final long WAIT_NANOS = 10_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private final int blockBytes;
    private final long limitBytes;

    /** Blocks of the usual size nobody uses. Guarded by lock. */
    private final ArrayDeque<Block> free = new ArrayDeque<>();

    /** Memory of blocks in use. Guarded by lock. */
    private long usedBytes;

    /** Blocks larger than usual in use. Guarded by lock. */
    private int largeBlocks;

    /** Counts blocks given back. Guarded by lock. */
    private long gifts;

    /** Whether somebody has asked in vain. Guarded by lock. */
    private boolean isShort;

    BlockPool(int blockBytes, long limitBytes) {
        this.blockBytes = blockBytes;
        this.limitBytes = limitBytes;
    }

    /**
     * A block with room for so many bytes.
     *
     * @return null when there is no memory now
     */
    @Nullable Block tryTake(int bytes) {
        int wanted = Math.max(bytes, blockBytes);
        lock.lock();
        try {
            boolean large = wanted > blockBytes;
            if (usedBytes + wanted > limitBytes && !(large && largeBlocks == 0)) {
                isShort = true;
                return null;
            }
            usedBytes += wanted;
            largeBlocks += large ? 1 : 0;
            Block block = large ? null : free.pollLast();
            return block != null ? block : new Block(wanted);
        } finally {
            lock.unlock();
        }
    }

    /** Takes a block back. */
    void give(Block block) {
        lock.lock();
        try {
            forget(block);
            if (block.capacity() == blockBytes && free.size() < limitBytes / blockBytes / 4) {
                free.addLast(block);
            } else {
                block.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** No longer counts a block, which its holder keeps and closes. */
    void disown(Block block) {
        lock.lock();
        try {
            forget(block);
        } finally {
            lock.unlock();
        }
    }

    /** Memory of the blocks that it counts. */
    long usedBytes() {
        lock.lock();
        try {
            return usedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody has asked in vain since the last call. */
    boolean takeShortage() {
        lock.lock();
        try {
            boolean was = isShort;
            isShort = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    /** Waits a moment for a block to be given back. Nobody calls this with a log's lock. */
    void awaitGiven() {
        lock.lock();
        try {
            long seen = gifts;
            long left = WAIT_NANOS;
            while (gifts == seen && left > 0) {
                left = given.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogFailedException("interrupted while waiting for the disk", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            free.forEach(Block::close);
            free.clear();
        } finally {
            lock.unlock();
        }
    }

    private void forget(Block block) {
        usedBytes -= block.capacity();
        largeBlocks -= block.capacity() > blockBytes ? 1 : 0;
        gifts++;
        given.signalAll();
    }
}
