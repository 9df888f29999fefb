package org.starling.store.internal.log;

/**
 * Takes the content of a zone out of its log. Called by several threads at once, but never for the
 * same chunk by two of them. Addresses are valid during the call.
 */
public interface ReplayTarget {
    /** The newest value of a chunk. */
    void put(int index, long position, long address, int bytes);

    /** Chunks that were created with one size and not written since: all their bytes are 0. */
    void created(int first, int count, int each, long position);

    /**
     * Chunks that were created and not written since: all their bytes are 0.
     *
     * @param first index of the first
     * @param count how many
     * @param sizesAddress of their sizes, native ints one after the other
     * @param position of the change
     */
    void createdListed(int first, int count, long sizesAddress, long position);

    /**
     * A request that has been executed, whether its effect is still visible or not. The same may
     * come more than once, and requests come in no order.
     */
    void executed(int client, long sequence, int first, int count, long position);

    /**
     * Changes that cannot be read. Values of chunks at positions up to {@code last} may be stale,
     * whatever chunk it is: none of them may be served before another replica has told the changes.
     *
     * @param first position of the first
     * @param last position of the last
     */
    void damaged(long first, long last);

    /**
     * A chunk whose newest value cannot be read; comes in addition to {@link #damaged} where the
     * log knows.
     */
    void damagedChunk(int index, long position);
}
