package org.starling.benchmarks.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.net.NativeMemory;

/** Frames of one thread for one plain socket, written together. */
final class NioOutlet implements Outlet {
    private static final int AGGREGATE_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final int capacity;
    private final long address;
    private final ByteBuffer buffer;
    private final AtomicLong writes;
    private int filled;

    /**
     * An outlet with nothing in it.
     *
     * @param channel shared with other outlets
     * @param maxBytes largest payload
     * @param writes counts them
     */
    NioOutlet(SocketChannel channel, int maxBytes, AtomicLong writes) {
        this.channel = channel;
        this.writes = writes;
        this.capacity = Math.max(AGGREGATE_BYTES, NioLink.HEADER_BYTES + maxBytes);
        this.address = NativeMemory.reserve(capacity);
        this.buffer = NativeMemory.segment(address, capacity).asByteBuffer();
    }

    @Override
    public long claim(int kind, int bytes) throws IOException {
        if (filled + NioLink.HEADER_BYTES + bytes > capacity) {
            flush();
        }
        long frame = address + filled;
        NioLink.putHeader(frame, kind, bytes);
        filled += NioLink.HEADER_BYTES + bytes;
        return frame + NioLink.HEADER_BYTES;
    }

    @Override
    public void commit() {
        // written when it is full, or flushed
    }

    /** Writes all; on a channel that does not block, tries until it is done. */
    @Override
    public void flush() throws IOException {
        if (filled > 0) {
            buffer.limit(filled).position(0);
            synchronized (channel) {
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            filled = 0;
            writes.incrementAndGet();
        }
    }

    @Override
    public void close() {
        NativeMemory.release(address, capacity);
    }
}
