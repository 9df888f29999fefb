package org.starling.net.internal;

import java.util.ArrayDeque;

/**
 * Lends receive buffers and keeps a bounded number of them for reuse. Never refuses: the number
 * lent is bounded by the number of connections, as each holds at most one, and only while it holds
 * a cut message. Confined to the receiving thread.
 */
final class ReceiveBufferPool {

    private final int bufferBytes;
    private final int keepBuffers;
    private final ArrayDeque<ReceiveBuffer> free = new ArrayDeque<>();

    ReceiveBufferPool(int bufferBytes, int keepBuffers) {
        this.bufferBytes = bufferBytes;
        this.keepBuffers = keepBuffers;
    }

    ReceiveBuffer take() {
        ReceiveBuffer buffer = free.pollLast();
        return buffer == null ? new ReceiveBuffer(bufferBytes) : buffer;
    }

    void giveBack(ReceiveBuffer buffer) {
        buffer.clear();
        if (free.size() < keepBuffers) {
            free.addLast(buffer);
        } else {
            buffer.release();
        }
    }

    /** Releases the kept buffers. */
    void close() {
        free.forEach(ReceiveBuffer::release);
        free.clear();
    }
}
