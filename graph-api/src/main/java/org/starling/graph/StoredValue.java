package org.starling.graph;

import java.util.Optional;

/**
 * A single value in the store, under a name, see {@link Structures}.
 *
 * @param <V> type of the value
 */
public interface StoredValue<V> {
    /** The value; empty if it is not set. */
    Optional<V> get();

    /** Sets the value. */
    void set(V value);

    /** Takes the value away. */
    void clear();
}
