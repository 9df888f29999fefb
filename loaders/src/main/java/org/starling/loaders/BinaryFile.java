package org.starling.loaders;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Little-endian numbers of a file, from some offset on. Confined to the thread that reads; owns its
 * channel and one buffer of {@link #BUFFER_BYTES}.
 */
final class BinaryFile implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

    /** Bytes of the first read after a jump, behind which there may be another one soon. */
    private static final int JUMP_BYTES = 1 << 12;

    /** Bytes of the next read. */
    private int nextRead = JUMP_BYTES;

    /** Offset in the file behind the buffer. */
    private long next;

    private BinaryFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static BinaryFile open(Path path) throws IOException {
        return new BinaryFile(path, FileChannel.open(path, StandardOpenOption.READ));
    }

    /** Goes to an offset. */
    BinaryFile at(long offset) {
        next = offset;
        nextRead = JUMP_BYTES;
        buffer.limit(0);
        return this;
    }

    /** Passes over some bytes. */
    void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            nextByte();
        }
    }

    /** Reads so many bytes. */
    void read(byte[] into, int bytes) throws IOException {
        for (int done = 0; done < bytes; ) {
            int some = Math.min(bytes - done, filled(Byte.BYTES).remaining());
            buffer.get(into, done, some);
            done += some;
        }
    }

    /** Offset of what is read next. */
    long offset() {
        return next - buffer.remaining();
    }

    int nextByte() throws IOException {
        return filled(Byte.BYTES).get() & 0xFF;
    }

    int nextShort() throws IOException {
        return filled(Short.BYTES).getShort() & 0xFFFF;
    }

    int nextInt() throws IOException {
        return filled(Integer.BYTES).getInt();
    }

    long nextLong() throws IOException {
        return filled(Long.BYTES).getLong();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private ByteBuffer filled(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            buffer.compact();
            buffer.limit(Math.min(buffer.capacity(), buffer.position() + nextRead));
            nextRead = BUFFER_BYTES;
            while (buffer.position() < bytes) {
                int read = channel.read(buffer, next);
                if (read < 0) {
                    throw new EOFException(path + " has become shorter while it was read");
                }
                next += read;
            }
            buffer.flip();
        }
        return buffer;
    }
}
