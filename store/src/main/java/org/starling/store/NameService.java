package org.starling.store;

import java.util.Map;

/**
 * Names of chunks, kept in the directory: what was registered on one node is found on all.
 * Blocking; any thread. A superpeer that does not answer in time is reported as {@link
 * IndeterminateException} by those that change something and as {@link StoreException} by the
 * others.
 */
public interface NameService {
    /** The longest name, in bytes of UTF-8. */
    int MAX_NAME_BYTES = 255;

    /**
     * Gives a chunk a name; a name that exists moves to this chunk.
     *
     * @param name 1 to 255 bytes of UTF-8
     * @param id chunk id, not {@link ChunkId#NONE}
     * @throws IllegalArgumentException if the name is empty, too long, or not valid text
     */
    void register(String name, long id);

    /**
     * Gives a name to a chunk if it leads to another one, which is known, as one step.
     *
     * @param name 1 to 255 bytes of UTF-8
     * @param expected the chunk that the name must lead to; {@link ChunkId#NONE} if there must be
     *     no such name
     * @param id chunk id, neither {@link ChunkId#NONE} nor the expected one
     * @return false if the name leads elsewhere; nothing has changed then
     * @throws IllegalArgumentException if the name is empty, too long, or not valid text
     */
    boolean compareAndSet(String name, long expected, long id);

    /**
     * The chunk of a name.
     *
     * @param name a name
     * @return chunk id, or {@link ChunkId#NONE}
     */
    long lookup(String name);

    /**
     * Removes a name; the chunk stays.
     *
     * @param name a name
     * @return true if there was such a name
     */
    boolean remove(String name);

    /**
     * All names.
     *
     * @return chunk ids by name, sorted by name
     */
    Map<String, Long> list();

    /**
     * Names that begin in the same way.
     *
     * @param prefix how they begin, not empty; a name that is just this is none of them
     * @return chunk ids by name, sorted by name
     */
    Map<String, Long> list(String prefix);
}
