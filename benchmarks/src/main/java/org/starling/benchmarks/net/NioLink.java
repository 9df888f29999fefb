package org.starling.benchmarks.net;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.starling.net.NativeMemory;

/**
 * A plain socket with a buffer for frames in each direction, in native memory. Reading is for one
 * thread, writing too; who shares it for writing holds its monitor.
 */
final class NioLink implements AutoCloseable {
    /** Room for reading: that of a receive buffer of our own network. */
    private static final int MIN_BUFFER_BYTES = 256 << 10;

    private final SocketChannel channel;
    private final int maxFrameBytes;
    private final int capacity;
    private final long input;
    private final long output;
    private final ByteBuffer inputBuffer;
    private final ByteBuffer outputBuffer;

    /** What is read and not yet taken is from here … */
    private int start;

    /** … to here. */
    private int end;

    /** The frame that {@link #next} found. */
    private long frame;

    private int written;
    private long writes;

    /**
     * A link over a channel, which it owns.
     *
     * @param bytes largest payload
     */
    NioLink(SocketChannel channel, int bytes) {
        this.channel = channel;
        this.maxFrameBytes = NioFrame.HEADER_BYTES + Math.max(bytes, NioFrame.TALLY_BYTES);
        this.capacity = Math.max(MIN_BUFFER_BYTES, 2 * maxFrameBytes);
        this.input = NativeMemory.reserve(capacity);
        this.output = NativeMemory.reserve(capacity);
        this.inputBuffer = NativeMemory.segment(input, capacity).asByteBuffer();
        this.outputBuffer = NativeMemory.segment(output, capacity).asByteBuffer();
    }

    SocketChannel channel() {
        return channel;
    }

    /** Writes made so far. */
    long writes() {
        return writes;
    }

    /**
     * Reads what is there; a blocking channel waits for something.
     *
     * @return bytes read, −1 at the end
     */
    int read() throws IOException {
        if (start > 0) {
            NativeMemory.copy(input + start, input, end - start);
            end -= start;
            start = 0;
        }
        inputBuffer.limit(capacity).position(end);
        int count = channel.read(inputBuffer);
        end += Math.max(0, count);
        return count;
    }

    /** Steps to the next frame that is wholly there; false if there is none. */
    boolean next() throws IOException {
        int left = end - start;
        if (left < NioFrame.HEADER_BYTES) {
            return false;
        }
        long address = input + start;
        int length = NioFrame.length(address);
        if (length < 0 || length > maxFrameBytes - NioFrame.HEADER_BYTES) {
            throw new IOException("a frame has " + length + " bytes");
        }
        if (left < NioFrame.HEADER_BYTES + length) {
            return false;
        }
        frame = address;
        start += NioFrame.HEADER_BYTES + length;
        return true;
    }

    int kind() {
        return NioFrame.kind(frame);
    }

    int length() {
        return NioFrame.length(frame);
    }

    /** Address of the frame's payload; good until the next {@link #read}. */
    long payload() {
        return frame + NioFrame.HEADER_BYTES;
    }

    /**
     * Appends a frame to what will be written.
     *
     * @return address of its payload
     */
    long put(int kind, int length) throws IOException {
        if (written + NioFrame.HEADER_BYTES + length > capacity) {
            flush();
        }
        long address = output + written;
        NioFrame.putHeader(address, kind, length);
        written += NioFrame.HEADER_BYTES + length;
        return address + NioFrame.HEADER_BYTES;
    }

    /** Writes all that was put. */
    void flush() throws IOException {
        if (written > 0) {
            outputBuffer.limit(written).position(0);
            writeAll(outputBuffer);
            written = 0;
        }
    }

    /** Writes a buffer to its limit; on a channel that does not block, tries until it is done. */
    void writeAll(ByteBuffer buffer) throws IOException {
        writes++;
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Waits for the next frame of a blocking channel. */
    void await() throws IOException {
        while (!next()) {
            if (read() < 0) {
                throw new EOFException("the other end has closed the connection");
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        NativeMemory.release(input, capacity);
        NativeMemory.release(output, capacity);
    }
}
