package org.starling.graph;

import java.math.BigInteger;
import java.util.Comparator;

/**
 * How original ids, unsigned numbers of 64 bits kept in a {@code long}, are written and ordered.
 * Everything that shows an id to people or puts it into a result goes through here. Stateless.
 */
public final class VertexId {
    /** Ids in ascending order. */
    public static final Comparator<Long> ASCENDING = Long::compareUnsigned;

    private VertexId() {}

    /** An id in decimal digits. */
    public static String text(long id) {
        return Long.toUnsignedString(id);
    }

    /** An id as a value of a {@link TaskResult} or of a list in one. */
    public static Number number(long id) {
        return id >= 0 ? (Number) id : new BigInteger(text(id));
    }
}
