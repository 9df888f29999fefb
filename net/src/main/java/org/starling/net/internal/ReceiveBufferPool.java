package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lends receive buffers and keeps a bounded number of them for reuse. Never refuses: the number
 * lent is bounded by the number of connections, as each holds at most one, and only while it holds
 * a cut message. Owned by an {@link Messenger}, confined to the receiving thread, which alone
 * writes the counters.
 */
final class ReceiveBufferPool {

    private final int bufferBytes;
    private final int keepBuffers;
    private final ArrayDeque<ReceiveBuffer> free = new ArrayDeque<>();
    private final AtomicInteger lent = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();

    ReceiveBufferPool(int bufferBytes, int keepBuffers) {
        this.bufferBytes = bufferBytes;
        this.keepBuffers = keepBuffers;
    }

    ReceiveBuffer take() {
        ReceiveBuffer buffer = free.pollLast();
        count(1);
        return buffer == null ? new ReceiveBuffer(bufferBytes) : buffer;
    }

    void giveBack(ReceiveBuffer buffer) {
        buffer.clear();
        if (free.size() < keepBuffers) {
            free.addLast(buffer);
        } else {
            buffer.release();
        }
        count(-1);
    }

    /** Buffers in use. Any thread. */
    int lent() {
        return lent.get();
    }

    /** Buffers kept for reuse. Any thread. */
    int kept() {
        return kept.get();
    }

    /** Releases the kept buffers. */
    void close() {
        free.forEach(ReceiveBuffer::release);
        free.clear();
        count(0);
    }

    private void count(int change) {
        lent.setRelease(lent.getPlain() + change);
        kept.setRelease(free.size());
    }
}
