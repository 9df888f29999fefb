package org.starling.compute.internal.graph;

import java.util.function.LongPredicate;
import org.starling.net.NativeMemory;

/** Binary search in what is in order. Static functions only. */
public final class Search {
    private Search() {}

    /**
     * The first number for which something holds.
     *
     * @param from the smallest number
     * @param end behind the greatest one
     * @param holds true for all numbers behind one for which it is
     * @return the number; {@code end} if it holds for none
     */
    public static long first(long from, long end, LongPredicate holds) {
        long low = from;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * The ordinal of an id among some whose ids ascend.
     *
     * @param base where the id of ordinal 0 would stand
     * @param first the first ordinal
     * @param end behind the last one
     * @return the ordinal, or -1 if none of them has the id
     */
    public static long ordinal(long base, long first, long end, long id) {
        long low = first;
        long high = end - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            long found = NativeMemory.getLong(base + middle * Long.BYTES);
            if (found == id) {
                return middle;
            }
            if (Long.compareUnsigned(found, id) < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
