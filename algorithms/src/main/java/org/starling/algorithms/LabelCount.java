package org.starling.algorithms;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Finds the most frequent of some labels: a hash table with open addressing, cleared after each
 * use. Expected time linear in the number of labels, 16 to 32 bytes for each of the longest list
 * seen. Confined to one thread.
 */
final class LabelCount {
    /** Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4). */
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    private int[] keys = new int[16];
    private int[] counts = new int[16];

    /**
     * The most frequent label; of several the one with the smallest id.
     *
     * @param labels any numbers, the first {@code length} ≥ 1 of them
     * @param ids unsigned id of each label; asked only about labels that are equally frequent
     */
    int mostFrequent(int[] labels, int length, IntToLongFunction ids) {
        int bits = Math.max(4, Integer.SIZE - Integer.numberOfLeadingZeros(length) + 1);
        int slots = 1 << Math.min(30, bits);
        if (slots > counts.length) {
            keys = new int[slots];
            counts = new int[slots];
        }
        int shift = Integer.SIZE - Integer.numberOfTrailingZeros(slots);
        int best = labels[0];
        int most = 0;
        long bestId = 0;
        boolean knowsId = false;
        for (int i = 0; i < length; i++) {
            int label = labels[i];
            int slot = (label * GOLDEN_RATIO) >>> shift;
            while (counts[slot] != 0 && keys[slot] != label) {
                slot = (slot + 1) & (slots - 1);
            }
            keys[slot] = label;
            int count = ++counts[slot];
            if (count > most) {
                most = count;
                knowsId &= label == best;
                best = label;
            } else if (count == most) {
                bestId = knowsId ? bestId : ids.applyAsLong(best);
                knowsId = true;
                long id = ids.applyAsLong(label);
                if (Long.compareUnsigned(id, bestId) < 0) {
                    best = label;
                    bestId = id;
                }
            }
        }
        Arrays.fill(counts, 0, slots, 0);
        return best;
    }
}
