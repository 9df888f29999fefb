package org.starling.compute.internal.graph;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.starling.net.NativeMemory;

/**
 * A property of strings of one shard, as it lies in a chunk: a dictionary, and behind it a code for
 * each vertex or edge.
 *
 * <pre>
 *   0   4                    4 (n + 2)
 *   +---+---------------------+---------------------------------+-----------------+
 *   | n | start 0 … start n   | strings, UTF-8, zeros to 4 bytes | code, code, …   |
 *   +---+---------------------+---------------------------------+-----------------+
 *    int  int each                                                int each
 * </pre>
 *
 * Starts count bytes from the first string's on; the last one is where the strings end. Strings are
 * different ones, in the order of their code points (which is that of their bytes, read unsigned);
 * a code is the number of a string. The first string is the empty one, so codes of vertices without
 * values are 0. Numbers are little-endian.
 */
public final class StringsLayout {
    /** The code of no string. */
    public static final int NONE = -1;

    private StringsLayout() {}

    /**
     * Bytes of a dictionary.
     *
     * @param strings how many
     * @param stringBytes bytes of all of them
     */
    public static long dictionaryBytes(long strings, long stringBytes) {
        return Integer.BYTES * (strings + 2) + padded(stringBytes);
    }

    /**
     * Writes a dictionary.
     *
     * @param dictionary strings by their codes
     * @return where codes begin
     */
    public static long write(long chunk, TextIdsLayout.Texts dictionary) {
        int size = dictionary.size();
        NativeMemory.putInt(chunk, size);
        long first = strings(chunk, size);
        int start = 0;
        for (int code = 0; code < size; code++) {
            NativeMemory.putInt(startAt(chunk, code), start);
            NativeMemory.copy(dictionary.address(code), first + start, dictionary.bytes(code));
            start += dictionary.bytes(code);
        }
        NativeMemory.putInt(startAt(chunk, size), start);
        NativeMemory.fill(first + start, padded(start) - start, (byte) 0);
        return first + padded(start);
    }

    /** Where codes begin. */
    public static long codes(long chunk) {
        int size = size(chunk);
        return strings(chunk, size) + padded(NativeMemory.getInt(startAt(chunk, size)));
    }

    /** How many strings there are. */
    public static int size(long chunk) {
        return NativeMemory.getInt(chunk);
    }

    /** Where a string's bytes stand. */
    public static long address(long chunk, int code) {
        return strings(chunk, size(chunk)) + NativeMemory.getInt(startAt(chunk, code));
    }

    /** How many bytes a string has. */
    public static int bytes(long chunk, int code) {
        return NativeMemory.getInt(startAt(chunk, code + 1))
                - NativeMemory.getInt(startAt(chunk, code));
    }

    /** The bytes of a string. */
    public static byte[] utf8(long chunk, int code) {
        byte[] bytes = new byte[bytes(chunk, code)];
        NativeMemory.copyToArray(address(chunk, code), bytes, 0, bytes.length);
        return bytes;
    }

    /** A string. */
    public static String string(long chunk, int code) {
        return new String(utf8(chunk, code), StandardCharsets.UTF_8);
    }

    /** The code of a string, or {@link #NONE}. */
    public static int find(long chunk, byte[] utf8) {
        MemorySegment wanted = MemorySegment.ofArray(utf8);
        int low = 0;
        int high = size(chunk) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(segment(chunk, middle), wanted);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return NONE;
    }

    /** The bytes of a string. */
    public static MemorySegment segment(long chunk, int code) {
        return NativeMemory.segment(address(chunk, code), bytes(chunk, code));
    }

    /** Compares strings in UTF-8 by their code points. */
    public static int compare(MemorySegment left, MemorySegment right) {
        long at = left.mismatch(right);
        if (at < 0) {
            return 0;
        }
        if (at == left.byteSize() || at == right.byteSize()) {
            return Long.compare(left.byteSize(), right.byteSize());
        }
        return Byte.compareUnsigned(
                left.get(ValueLayout.JAVA_BYTE, at), right.get(ValueLayout.JAVA_BYTE, at));
    }

    private static long startAt(long chunk, int code) {
        return chunk + Integer.BYTES * (1L + code);
    }

    private static long strings(long chunk, int size) {
        return chunk + Integer.BYTES * (size + 2L);
    }

    private static long padded(long bytes) {
        return (bytes + 3) & ~3L;
    }
}
