package org.starling.graph;

import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A map in the store, see {@link Structures}. A look-up takes a chunk from a peer, about 128 KiB of
 * neighbouring entries, if it is not at hand; so does a change. Keys are spread by a hash.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface StoredMap<K, V> {
    /** The value of a key. */
    Optional<V> get(K key);

    /**
     * Puts a value in the place of the one that the key has, if it has one.
     *
     * @return whether the key is new
     */
    boolean put(K key, V value);

    /**
     * Removes a key.
     *
     * @return whether it was there
     */
    boolean remove(K key);

    /** Number of keys. */
    long size();

    /**
     * Shows all entries, in an order that says nothing. The map must not be changed meanwhile.
     *
     * @throws IllegalStateException if it is
     */
    void forEach(BiConsumer<? super K, ? super V> each);
}
