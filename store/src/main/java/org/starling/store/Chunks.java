package org.starling.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a batched get: for each id asked for, in that order, the value or that there is
 * none. Immutable.
 */
public final class Chunks {
    private final long[] ids;

    /** By index: the value, or null if the chunk does not exist. */
    private final byte[] @Nullable [] values;

    /**
     * Takes over both arrays.
     *
     * @param ids the ids asked for
     * @param values by index the value, or null if the chunk does not exist
     */
    public Chunks(long[] ids, byte[] @Nullable [] values) {
        if (ids.length != values.length) {
            throw new IllegalArgumentException(
                    ids.length + " ids, but " + values.length + " values");
        }
        this.ids = ids;
        this.values = values;
    }

    /**
     * How many were asked for.
     *
     * @return ids, those without a chunk included
     */
    public int count() {
        return ids.length;
    }

    /**
     * One of the ids.
     *
     * @param index 0 to count − 1
     * @return chunk id
     */
    public long id(int index) {
        return ids[index];
    }

    /**
     * Whether the chunk existed.
     *
     * @param index 0 to count − 1
     * @return true if there is a value
     */
    public boolean exists(int index) {
        return values[index] != null;
    }

    /**
     * The value of one chunk, not a copy of it.
     *
     * @param index 0 to count − 1
     * @return its payload
     * @throws ChunkNotFoundException if the chunk did not exist
     */
    public byte[] get(int index) {
        byte[] value = values[Objects.checkIndex(index, values.length)];
        if (value == null) {
            throw new ChunkNotFoundException(ids[index]);
        }
        return value;
    }
}
