package org.starling.store.internal.directory;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link ByteWriter} wrote; lengths are checked against what remains before anything is
 * allocated.
 */
final class ByteParser {
    private final ByteBuffer bytes;

    ByteParser(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    boolean getFlag() {
        int value = getByte();
        if (value > 1) {
            throw new IllegalArgumentException(value + " where 0 or 1 may be");
        }
        return value == 1;
    }

    int getByte() {
        need(1);
        return Byte.toUnsignedInt(bytes.get());
    }

    int getShort() {
        need(Short.BYTES);
        return Short.toUnsignedInt(bytes.getShort());
    }

    int getInt() {
        need(Integer.BYTES);
        return bytes.getInt();
    }

    long getLong() {
        need(Long.BYTES);
        return bytes.getLong();
    }

    String getString() {
        int length = getShort();
        need(length);
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    byte[] getBytes(int most) {
        int length = getInt();
        if (length < 0 || length > most) {
            throw new IllegalArgumentException(length + " bytes where 0.." + most + " may be");
        }
        need(length);
        byte[] value = new byte[length];
        bytes.get(value);
        return value;
    }

    /**
     * A number of elements that follow.
     *
     * @param leastBytes the fewest bytes an element takes
     * @return the number, which the remaining bytes can hold
     */
    int getCount(int leastBytes) {
        int count = getInt();
        if (count < 0) {
            throw new IllegalArgumentException("negative count " + count);
        }
        need((long) count * leastBytes);
        return count;
    }

    List<Integer> getInts() {
        int count = getCount(Integer.BYTES);
        List<Integer> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(getInt());
        }
        return values;
    }

    int position() {
        return bytes.position();
    }

    void end() {
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes too many");
        }
    }

    private void need(long count) {
        if (bytes.remaining() < count) {
            throw new IllegalArgumentException(
                    "bytes end " + (count - bytes.remaining()) + " too early",
                    new BufferUnderflowException());
        }
    }
}
