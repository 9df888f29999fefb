package org.starling.graph;

import java.util.function.Consumer;

/**
 * A list in the store, see {@link Structures}. Neighbours share chunks of about 128 KiB.
 *
 * @param <V> type of the values
 */
public interface StoredList<V> {
    /**
     * The value at a place.
     *
     * @throws IndexOutOfBoundsException if there is no such place
     */
    V get(long index);

    /**
     * Puts a value in the place of the one that is there.
     *
     * @throws IndexOutOfBoundsException if there is no such place
     */
    void set(long index, V value);

    /** Adds a value at the end. */
    void add(V value);

    /** Number of values. */
    long size();

    /**
     * Shows all values in their order. The list must not be changed meanwhile.
     *
     * @throws IllegalStateException if it is
     */
    void forEach(Consumer<? super V> each);
}
