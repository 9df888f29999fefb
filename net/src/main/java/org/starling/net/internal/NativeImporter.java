package org.starling.net.internal;

import java.nio.charset.StandardCharsets;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/** Reads a message from native memory. Confined to one thread; reused from message to message. */
public final class NativeImporter implements Importer {
    private static final int MAX_COMPACT_BYTES = 5;

    private long position;
    private long limit;

    /** Begins to read so many bytes. */
    public void start(long address, int bytes) {
        position = address;
        limit = address + bytes;
    }

    /** Forgets the memory, so that an importer kept by mistake reads nothing. */
    void end() {
        limit = position;
    }

    @Override
    public int remaining() {
        return (int) (limit - position);
    }

    @Override
    public boolean readBoolean() {
        byte value = readByte();
        if ((value & ~1) != 0) {
            throw new MalformedMessageException("expected a boolean of 0 or 1, found " + value);
        }
        return value == 1;
    }

    @Override
    public byte readByte() {
        return NativeMemory.getByte(view(1));
    }

    @Override
    public int readInt() {
        return NativeMemory.getInt(view(4));
    }

    @Override
    public long readLong() {
        return NativeMemory.getLong(view(8));
    }

    @Override
    public double readDouble() {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public int readCompactInt() {
        long value = 0;
        for (int i = 0; i < MAX_COMPACT_BYTES; i++) {
            byte part = readByte();
            value |= (long) (part & 0x7F) << (7 * i);
            if (part >= 0) {
                if (value >>> Integer.SIZE != 0) {
                    throw new MalformedMessageException("a compact int has more than 32 bits");
                }
                return (int) value;
            }
        }
        throw new MalformedMessageException("a compact int does not end");
    }

    @Override
    public String readString() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public byte[] readBytes() {
        byte[] value = new byte[readLength(1)];
        NativeMemory.copyToArray(view(value.length), value, 0, value.length);
        return value;
    }

    @Override
    public int[] readInts() {
        int[] value = new int[readLength(Integer.BYTES)];
        NativeMemory.copyToArray(view(value.length * Integer.BYTES), value, 0, value.length);
        return value;
    }

    @Override
    public long[] readLongs() {
        long[] value = new long[readLength(Long.BYTES)];
        NativeMemory.copyToArray(view(value.length * Long.BYTES), value, 0, value.length);
        return value;
    }

    @Override
    public int readLength(int elementBytes) {
        int count = readCompactInt();
        if (count < 0 || (long) count * elementBytes > limit - position) {
            throw new MalformedMessageException(
                    "an array of "
                            + (count & 0xFFFF_FFFFL)
                            + " elements of "
                            + elementBytes
                            + " bytes does not fit in the "
                            + remaining()
                            + " bytes that remain");
        }
        return count;
    }

    /** Skips the next bytes and returns their address. */
    private long view(int bytes) {
        if (bytes < 0 || bytes > limit - position) {
            throw new MalformedMessageException(
                    "expected " + bytes + " more bytes, found " + remaining());
        }
        long address = position;
        position += bytes;
        return address;
    }
}
