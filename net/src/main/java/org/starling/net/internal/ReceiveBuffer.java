package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.starling.net.NativeMemory;

/**
 * Native memory into which a connection is read. The bytes from {@code start} to {@code end} are
 * received and not handled; {@code start} is a multiple of 8 and begins a frame. Owned by a {@link
 * ReceiveBufferPool}, lent to one connection at a time, confined to the receiving thread.
 */
final class ReceiveBuffer {

    private final long address;
    private final int capacity;
    private final ByteBuffer view;
    private int start;
    private int end;

    ReceiveBuffer(int capacity) {
        this.capacity = capacity;
        this.address = NativeMemory.reserve(capacity);
        this.view = NativeMemory.segment(address, capacity).asByteBuffer();
    }

    /** Reads as much as there is room for; returns bytes, or -1 at the end of the stream. */
    int fill(ReadableByteChannel channel) throws IOException {
        view.limit(capacity).position(end);
        int bytes = channel.read(view);
        end += Math.max(bytes, 0);
        return bytes;
    }

    /** Copies as much as there is room for; returns bytes. */
    int fill(long from, int bytes) {
        int copied = Math.min(bytes, room());
        NativeMemory.copy(from, address + end, copied);
        end += copied;
        return copied;
    }

    /**
     * Takes {@code bytes} handled bytes off; makes room for at least {@code frameBytes} from the
     * start of the rest.
     */
    void handled(int bytes, int frameBytes) {
        start += bytes;
        if (start == end) {
            start = 0;
            end = 0;
        } else if (capacity - start < frameBytes) {
            NativeMemory.copy(address + start, address, end - start);
            end -= start;
            start = 0;
        }
    }

    long startAddress() {
        return address + start;
    }

    int bytes() {
        return end - start;
    }

    /** Room behind the received bytes. */
    int room() {
        return capacity - end;
    }

    void clear() {
        start = 0;
        end = 0;
    }

    void release() {
        NativeMemory.release(address, capacity);
    }
}
