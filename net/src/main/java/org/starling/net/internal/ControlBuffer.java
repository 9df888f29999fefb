package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.starling.net.NativeMemory;

/**
 * The few bytes that a socket carries besides frames: handshakes and confirmations, one being read
 * and one being written. Owned by one end of a socket, used by one thread at a time.
 */
final class ControlBuffer {

    private static final int OUT_OFFSET = 64;
    private static final int BYTES = 128;

    private final long address = NativeMemory.reserve(BYTES);
    private final ByteBuffer in = NativeMemory.segment(address, OUT_OFFSET).asByteBuffer();
    private final ByteBuffer out =
            NativeMemory.segment(address + OUT_OFFSET, BYTES - OUT_OFFSET).asByteBuffer();
    private boolean isReleased;

    ControlBuffer() {
        expect(HandshakeLayout.BYTES);
        out.limit(0);
    }

    /** The next thing to read has so many bytes. */
    void expect(int bytes) {
        in.clear().limit(bytes);
    }

    /** Reads; 1 when what is expected is complete, 0 when not yet, -1 at the end of the stream. */
    int read(Wire wire) throws IOException {
        if (wire.read(in) < 0) {
            return -1;
        }
        return in.hasRemaining() ? 0 : 1;
    }

    /** A copy of what was read. */
    byte[] taken(int from, int count) {
        return copy(in, from, count);
    }

    /** Composes bytes of the next thing to write; only when {@link #isWritten}. */
    void compose(int at, byte[] bytes) {
        out.clear().put(at, bytes);
        out.limit(0);
    }

    /** A copy of the composed bytes. */
    byte[] composed(int count) {
        byte[] bytes = copy(out.clear(), 0, count);
        out.limit(0);
        return bytes;
    }

    private static byte[] copy(ByteBuffer from, int at, int count) {
        byte[] bytes = new byte[count];
        from.get(at, bytes);
        return bytes;
    }

    long inAddress() {
        return address;
    }

    /** Where to compose the next thing to write; only when {@link #isWritten}. */
    long outAddress() {
        return address + OUT_OFFSET;
    }

    /** Writes the composed bytes; false when some are left. */
    boolean write(Wire wire, int bytes) throws IOException {
        out.clear().limit(bytes);
        return continueWriting(wire);
    }

    boolean continueWriting(Wire wire) throws IOException {
        if (out.hasRemaining()) {
            wire.write(out);
        }
        return !out.hasRemaining();
    }

    boolean isWritten() {
        return !out.hasRemaining();
    }

    void release() {
        if (!isReleased) {
            isReleased = true;
            NativeMemory.release(address, BYTES);
        }
    }
}
