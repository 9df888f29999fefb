package org.starling.store.internal.directory;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Big-endian numbers, UTF-8 strings and byte arrays, one after the other, for what the directory
 * keeps and logs.
 */
final class ByteWriter {
    private static final int MAX_SHORT = 0xFFFF;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ByteWriter putByte(int value) {
        bytes.write(value);
        return this;
    }

    /** A number that two bytes can hold without a sign; another is refused, not cut. */
    ByteWriter putShort(int value) {
        if (value < 0 || value > MAX_SHORT) {
            throw new IllegalArgumentException(value + " is not in 0.." + MAX_SHORT);
        }
        return putByte(value >>> 8).putByte(value);
    }

    ByteWriter putInt(int value) {
        return putShort(value >>> 16).putShort(value & MAX_SHORT);
    }

    ByteWriter putLong(long value) {
        return putInt((int) (value >>> 32)).putInt((int) value);
    }

    /** At most 65535 bytes of UTF-8, preceded by their number in 2 bytes. */
    ByteWriter putString(String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        if (text.length > MAX_SHORT) {
            throw new IllegalArgumentException("string of " + text.length + " bytes is too long");
        }
        putShort(text.length);
        bytes.writeBytes(text);
        return this;
    }

    ByteWriter putFlag(boolean value) {
        return putByte(value ? 1 : 0);
    }

    /** Numbers, preceded by their number in 4 bytes. */
    ByteWriter putInts(Collection<Integer> values) {
        putInt(values.size());
        values.forEach(this::putInt);
        return this;
    }

    /** Bytes, preceded by their number in 4. */
    ByteWriter putBytes(byte[] value) {
        putInt(value.length);
        bytes.writeBytes(value);
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
