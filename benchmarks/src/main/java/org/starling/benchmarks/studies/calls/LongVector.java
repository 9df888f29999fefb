package org.starling.benchmarks.studies.calls;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.starling.net.MalformedMessageException;

/** Numbers of a text whose count is not known before, bounded. Confined to one thread. */
final class LongVector {

    private final LongArrayList elements = new LongArrayList();

    void add(long element) {
        if (elements.size() == CallPattern.MAX_VECTOR) {
            throw new MalformedMessageException(
                    "a vector has up to %d elements".formatted(CallPattern.MAX_VECTOR));
        }
        elements.add(element);
    }

    long[] toArray() {
        return elements.toLongArray();
    }
}
