package org.starling.loaders.table;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Bytes that grow, little-endian. Confined to one thread. */
final class ByteOutput {
    private static final int INITIAL_BYTES = 1 << 10;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    /** The bytes; more may stand behind {@link #length}. */
    byte[] array() {
        return bytes;
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    void putByte(int value) {
        grow(Byte.BYTES);
        bytes[length++] = (byte) value;
    }

    void putInt(int value) {
        grow(Integer.BYTES);
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[length++] = (byte) (value >>> (i * Byte.SIZE));
        }
    }

    void putLong(long value) {
        grow(Long.BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[length++] = (byte) (value >>> (i * Byte.SIZE));
        }
    }

    void put(byte[] from, int offset, int count) {
        grow(count);
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
    }

    /** A number of 7 bits a byte, the lowest ones first. */
    void putVarint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            putByte((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        putByte((int) rest);
    }

    /** Zeros, until the length is a multiple. */
    void pad(int multiple) {
        while (length % multiple != 0) {
            putByte(0);
        }
    }

    private void grow(int more) {
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, 2L * needed));
        }
    }
}
