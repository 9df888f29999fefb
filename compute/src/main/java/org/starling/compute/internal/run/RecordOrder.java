package org.starling.compute.internal.run;

import org.starling.net.NativeMemory;

/**
 * Brings the addresses of one receiver's messages into the order of the messages, in place: nothing
 * to do where they came so, by insertion where they are few, as a heap otherwise (n log n at worst,
 * no memory).
 */
final class RecordOrder {
    private static final int FEW = 24;

    private RecordOrder() {}

    /** Sorts {@code count} addresses that stand from {@code first} on. */
    static void sort(RecordFormat format, long first, int count) {
        int sorted = 1;
        while (sorted < count && !format.isBefore(get(first, sorted), get(first, sorted - 1))) {
            sorted++;
        }
        if (sorted >= count) {
            return;
        }
        if (count <= FEW) {
            insert(format, first, sorted, count);
        } else {
            heapSort(format, first, count);
        }
    }

    private static void insert(RecordFormat format, long first, int sorted, int count) {
        for (int i = sorted; i < count; i++) {
            long moved = get(first, i);
            int to = i;
            while (to > 0 && format.isBefore(moved, get(first, to - 1))) {
                set(first, to, get(first, to - 1));
                to--;
            }
            set(first, to, moved);
        }
    }

    private static void heapSort(RecordFormat format, long first, int count) {
        for (int i = count / 2 - 1; i >= 0; i--) {
            sink(format, first, i, count);
        }
        for (int last = count - 1; last > 0; last--) {
            long greatest = get(first, 0);
            set(first, 0, get(first, last));
            set(first, last, greatest);
            sink(format, first, 0, last);
        }
    }

    private static void sink(RecordFormat format, long first, int from, int count) {
        long moved = get(first, from);
        long at = from;
        long child;
        while ((child = 2 * at + 1) < count) {
            if (child + 1 < count && format.isBefore(get(first, child), get(first, child + 1))) {
                child++;
            }
            if (!format.isBefore(moved, get(first, child))) {
                break;
            }
            set(first, at, get(first, child));
            at = child;
        }
        set(first, at, moved);
    }

    private static long get(long first, long index) {
        return NativeMemory.getLong(first + (index << 3));
    }

    private static void set(long first, long index, long address) {
        NativeMemory.putLong(first + (index << 3), address);
    }
}
