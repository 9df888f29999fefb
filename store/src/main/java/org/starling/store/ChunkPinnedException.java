package org.starling.store;

/** The chunk is pinned on its owner, so it cannot be resized or removed now. */
public final class ChunkPinnedException extends StoreException {
    private final long id;

    /**
     * For one chunk.
     *
     * @param id the pinned chunk
     */
    public ChunkPinnedException(long id) {
        super(
                "chunk "
                        + ChunkId.toString(id)
                        + " is pinned; close its PinnedRange before it is resized or removed");
        this.id = id;
    }

    /**
     * The pinned chunk.
     *
     * @return a chunk id
     */
    public long id() {
        return id;
    }
}
