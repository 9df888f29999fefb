package org.starling.store;

/** The chunk does not exist: never created, or removed. */
public final class ChunkNotFoundException extends StoreException {
    private final long id;

    /**
     * For one chunk.
     *
     * @param id the id that was asked for
     */
    public ChunkNotFoundException(long id) {
        super("chunk " + ChunkId.toString(id) + " does not exist (never created, or removed)");
        this.id = id;
    }

    /**
     * The id that was asked for.
     *
     * @return a chunk id
     */
    public long id() {
        return id;
    }
}
