package org.starling.algorithms;

import java.util.Arrays;

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
     * The most frequent label; of several the smallest.
     *
     * @param labels unsigned numbers, the first {@code length} ≥ 1 of them
     */
    int mostFrequent(int[] labels, int length) {
        int bits = Math.max(4, Integer.SIZE - Integer.numberOfLeadingZeros(length) + 1);
        int slots = 1 << Math.min(30, bits);
        if (slots > counts.length) {
            keys = new int[slots];
            counts = new int[slots];
        }
        int shift = Integer.SIZE - Integer.numberOfTrailingZeros(slots);
        int best = labels[0];
        int most = 0;
        for (int i = 0; i < length; i++) {
            int label = labels[i];
            int slot = (label * GOLDEN_RATIO) >>> shift;
            while (counts[slot] != 0 && keys[slot] != label) {
                slot = (slot + 1) & (slots - 1);
            }
            keys[slot] = label;
            int count = ++counts[slot];
            if (count > most || (count == most && Integer.compareUnsigned(label, best) < 0)) {
                most = count;
                best = label;
            }
        }
        Arrays.fill(counts, 0, slots, 0);
        return best;
    }
}
