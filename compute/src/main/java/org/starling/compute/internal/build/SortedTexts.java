package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.starling.compute.internal.graph.Search;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.graph.InvalidInputException;

/**
 * Different ones of some texts, in ascending order, and where each of these has its place among
 * them. Takes 12 bytes of heap for each text that is given, 24 while it sorts. Immutable.
 */
final class SortedTexts {
    private static final int MAX_TEXTS = Integer.MAX_VALUE - 8;
    private static final ValueLayout.OfLong BIG_ENDIAN =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final long[] texts;
    private final int[] places;

    private SortedTexts(long[] texts, int[] places) {
        this.texts = texts;
        this.places = places;
    }

    /**
     * Sorts texts.
     *
     * @param given where they stand, as {@link StringIndex} has them
     */
    static SortedTexts of(long[] given) {
        long[] keys = new long[given.length];
        Arrays.parallelSetAll(keys, i -> key(StringIndex.segment(given[i])));
        int[] order = new int[given.length];
        Arrays.setAll(order, i -> i);
        IntArrays.parallelQuickSort(order, (a, b) -> compare(given, keys, a, b));
        int[] places = new int[given.length];
        long[] texts = new long[given.length];
        int count = 0;
        for (int i = 0; i < order.length; i++) {
            if (i == 0 || compare(given, keys, order[i - 1], order[i]) != 0) {
                texts[count++] = given[order[i]];
            }
            places[order[i]] = count - 1;
        }
        return new SortedTexts(Arrays.copyOf(texts, count), places);
    }

    /** Makes room for so many texts. */
    static long[] room(long count) {
        if (count > MAX_TEXTS) {
            throw new InvalidInputException(
                    "a peer would have to sort %d ids, but at most %d fit; use more peers"
                            .formatted(count, MAX_TEXTS));
        }
        return new long[(int) count];
    }

    /** The first eight bytes, so that most comparisons need not look at texts. */
    private static long key(MemorySegment text) {
        if (text.byteSize() >= Long.BYTES) {
            return text.get(BIG_ENDIAN, 0);
        }
        long key = 0;
        for (int i = 0; i < text.byteSize(); i++) {
            key |= (text.get(ValueLayout.JAVA_BYTE, i) & 0xFFL) << (Long.SIZE - 8 - 8 * i);
        }
        return key;
    }

    private static int compare(long[] given, long[] keys, int a, int b) {
        int order = Long.compareUnsigned(keys[a], keys[b]);
        return order != 0
                ? order
                : StringsLayout.compare(
                        StringIndex.segment(given[a]), StringIndex.segment(given[b]));
    }

    /** How many different ones there are. */
    int size() {
        return texts.length;
    }

    /** Where one stands. */
    long text(int place) {
        return texts[place];
    }

    /** The place of a text by its index among those that were given. */
    int place(int given) {
        return places[given];
    }

    /** The first place whose text is no less than this one. */
    int atLeast(byte[] utf8) {
        MemorySegment wanted = MemorySegment.ofArray(utf8);
        return (int)
                Search.first(
                        0,
                        texts.length,
                        i ->
                                StringsLayout.compare(StringIndex.segment(texts[(int) i]), wanted)
                                        >= 0);
    }
}
