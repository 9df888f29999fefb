package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.compute.internal.graph.TextIdsLayout;
import org.starling.graph.InvalidInputException;
import org.starling.net.NativeMemory;

/**
 * Different strings, numbered in the order in which they came. A string is named by its address in
 * native memory, where its length (4 bytes) and its UTF-8 stand, and stays there. Takes 16 to 24
 * bytes of heap for each. Confined to one thread while strings come; read by others afterwards.
 */
final class StringIndex {
    /** Bytes before a string's own. */
    static final int HEADER_BYTES = Integer.BYTES;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int MAX_STRINGS = 1 << 29;

    private final LongArrayList strings = new LongArrayList();

    /** Codes and 1, each at a place that its string's hash leads to; 0 where nothing is. */
    private int[] table = new int[16];

    private long bytes;

    /** How many there are. */
    int size() {
        return strings.size();
    }

    /** Bytes of all of them, without their lengths. */
    long bytes() {
        return bytes;
    }

    /** Where a string's length stands. */
    long string(int code) {
        return strings.getLong(code);
    }

    /** The code of a string: that of an equal one, or a new one. */
    int code(long string) {
        int place = place(string);
        if (table[place] == 0) {
            if (strings.size() == MAX_STRINGS) {
                throw new InvalidInputException(
                        "a peer would have more than %d different strings; start more peers"
                                .formatted(MAX_STRINGS));
            }
            strings.add(string);
            bytes += length(string);
            table[place] = strings.size();
            if (2 * strings.size() > table.length) {
                grow();
            }
            return strings.size() - 1;
        }
        return table[place] - 1;
    }

    /** Codes in the order of their strings. */
    int[] sorted() {
        int[] codes = new int[size()];
        for (int code = 0; code < codes.length; code++) {
            codes[code] = code;
        }
        IntArrays.quickSort(
                codes, (a, b) -> StringsLayout.compare(segment(string(a)), segment(string(b))));
        return codes;
    }

    /** A string's bytes, without its length. */
    static MemorySegment segment(long string) {
        return NativeMemory.segment(string + HEADER_BYTES, length(string));
    }

    /** How many bytes a string has. */
    static int length(long string) {
        return NativeMemory.getInt(string);
    }

    /** Strings by where their lengths stand. */
    static TextIdsLayout.Texts texts(long[] strings) {
        return new TextIdsLayout.Texts() {
            @Override
            public int size() {
                return strings.length;
            }

            @Override
            public long address(int index) {
                return strings[index] + HEADER_BYTES;
            }

            @Override
            public int bytes(int index) {
                return length(strings[index]);
            }
        };
    }

    private void grow() {
        table = new int[2 * table.length];
        for (int code = 0; code < strings.size(); code++) {
            table[place(string(code))] = code + 1;
        }
    }

    private int place(long string) {
        int mask = table.length - 1;
        int place = hash(string) & mask;
        while (table[place] != 0
                && segment(string(table[place] - 1)).mismatch(segment(string)) >= 0) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private static int hash(long string) {
        int length = length(string);
        long from = string + HEADER_BYTES;
        long hash = length;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            hash = mixed(hash ^ NativeMemory.getLong(from + at));
        }
        for (; at < length; at++) {
            hash = mixed(hash ^ NativeMemory.getByte(from + at));
        }
        return (int) mixed(hash);
    }

    private static long mixed(long value) {
        long product = value * MULTIPLIER;
        return product ^ (product >>> Integer.SIZE);
    }
}
