package org.starling.benchmarks.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.net.NativeMemory;

/**
 * One end of a plain socket, for the thread that reads from it: hands frames to an {@link Inlet},
 * whose answers it writes.
 *
 * <pre>
 *   0         4         8
 *   +---------+---------+-----------------+
 *   | length  | kind    |  payload        |
 *   +---------+---------+-----------------+
 *   length  bytes of payload
 *   kind    a constant of Inlet
 * </pre>
 */
final class NioLink implements AutoCloseable {
    static final int HEADER_BYTES = 8;

    /** Room for reading: that of a receive buffer of our own network. */
    private static final int MIN_BUFFER_BYTES = 256 << 10;

    private final SocketChannel channel;
    private final Inlet inlet;
    private final AtomicLong writes = new AtomicLong();
    private final Outlet back;
    private final int maxBytes;
    private final int capacity;
    private final long input;
    private final ByteBuffer buffer;

    /** What is read and not yet taken is from here … */
    private int start;

    /** … to here. */
    private int end;

    /** Owns the channel; no payload has more than so many bytes. */
    NioLink(SocketChannel channel, int bytes, Inlet inlet) {
        this.channel = channel;
        this.inlet = inlet;
        this.maxBytes = Math.max(bytes, Inlet.TALLY_BYTES);
        this.back = outlet();
        this.capacity = Math.max(MIN_BUFFER_BYTES, 2 * (HEADER_BYTES + maxBytes));
        this.input = NativeMemory.reserve(capacity);
        this.buffer = NativeMemory.segment(input, capacity).asByteBuffer();
    }

    static void putHeader(long address, int kind, int length) {
        NativeMemory.putLong(address, (long) kind << Integer.SIZE | length);
    }

    static int length(long address) {
        return NativeMemory.getInt(address);
    }

    static int kind(long address) {
        return NativeMemory.getInt(address + Integer.BYTES);
    }

    SocketChannel channel() {
        return channel;
    }

    Inlet inlet() {
        return inlet;
    }

    /** Writes of all outlets so far. */
    long writes() {
        return writes.get();
    }

    /** The way into the connection for another thread. */
    Outlet outlet() {
        return new Aggregate(channel, maxBytes, writes);
    }

    /**
     * Reads once and hands over what came; a blocking channel waits for something.
     *
     * @return false at the end
     */
    boolean receive() throws IOException {
        if (start > 0) {
            NativeMemory.copy(input + start, input, end - start);
            end -= start;
            start = 0;
        }
        buffer.limit(capacity).position(end);
        int count = channel.read(buffer);
        if (count < 0) {
            return false;
        }
        end += count;
        while (end - start >= HEADER_BYTES) {
            long frame = input + start;
            int length = length(frame);
            if (length < 0 || length > maxBytes) {
                throw new IOException("a frame has " + length + " bytes");
            }
            if (end - start < HEADER_BYTES + length) {
                break;
            }
            inlet.take(kind(frame), frame + HEADER_BYTES, length, back);
            start += HEADER_BYTES + length;
        }
        back.flush();
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        back.close();
        NativeMemory.release(input, capacity);
    }

    /** Frames of one thread for one plain socket, written together. */
    private static final class Aggregate implements Outlet {
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
        Aggregate(SocketChannel channel, int maxBytes, AtomicLong writes) {
            this.channel = channel;
            this.writes = writes;
            this.capacity = Math.max(AGGREGATE_BYTES, HEADER_BYTES + maxBytes);
            this.address = NativeMemory.reserve(capacity);
            this.buffer = NativeMemory.segment(address, capacity).asByteBuffer();
        }

        @Override
        public long claim(int kind, int bytes) throws IOException {
            if (filled + HEADER_BYTES + bytes > capacity) {
                flush();
            }
            long frame = address + filled;
            putHeader(frame, kind, bytes);
            filled += HEADER_BYTES + bytes;
            return frame + HEADER_BYTES;
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
}
