package org.starling.compute.internal.query;

import java.util.Arrays;

/**
 * Vertices that one side of a search has come to, in the order in which it did, each with the one
 * before it. Takes about 20 bytes per vertex, and grows with them. Confined to one thread.
 */
final class VisitedVertices {
    private static final int FIRST_CAPACITY = 1 << 6;

    /** Multiplies ordinals to spread them: 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private long[] ordinals = new long[FIRST_CAPACITY];

    /** Index of the vertex by which each was reached; -1 for the first. */
    private int[] before = new int[FIRST_CAPACITY];

    /** Index + 1 of a vertex at the place of its ordinal, or behind; 0 is free. */
    private int[] table = new int[2 * FIRST_CAPACITY];

    private int size;

    int size() {
        return size;
    }

    long ordinal(int index) {
        return ordinals[index];
    }

    int before(int index) {
        return before[index];
    }

    /** Adds a vertex unless it is there. */
    boolean add(long ordinal, int reachedBy) {
        int place = place(ordinal);
        if (table[place] != 0) {
            return false;
        }
        if (size == ordinals.length) {
            grow();
            place = place(ordinal);
        }
        ordinals[size] = ordinal;
        before[size] = reachedBy;
        table[place] = ++size;
        return true;
    }

    /** Index of a vertex, or -1. */
    int indexOf(long ordinal) {
        return table[place(ordinal)] - 1;
    }

    private int place(long ordinal) {
        int mask = table.length - 1;
        int place = (int) ((ordinal * SPREAD) >>> 32) & mask;
        while (table[place] != 0 && ordinals[table[place] - 1] != ordinal) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        ordinals = Arrays.copyOf(ordinals, 2 * size);
        before = Arrays.copyOf(before, 2 * size);
        table = new int[4 * size];
        for (int i = 0; i < size; i++) {
            table[place(ordinals[i])] = i + 1;
        }
    }
}
