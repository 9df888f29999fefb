package org.starling.store.internal.chunk;

/**
 * Chunks that have been removed and wait to be freed together: consecutive ids whose blocks lie
 * together. Confined to the thread that removes.
 */
final class RemovedRun {
    private final ChunkSpace space;
    private final IdSpace ids;
    private long local;
    private int count;
    private long block;
    private long payloadBytes;
    private long headerBytes;
    private int removed;

    RemovedRun(ChunkSpace space, IdSpace ids) {
        this.space = space;
        this.ids = ids;
    }

    /** Adds a chunk, after freeing those before it if it does not continue them. */
    void add(long nextLocal, long nextBlock, int payload, int header) {
        if (nextLocal != local + count || nextBlock != block + payloadBytes + headerBytes) {
            flush();
            local = nextLocal;
            block = nextBlock;
        }
        count++;
        payloadBytes += payload;
        headerBytes += header;
        removed++;
    }

    /** Frees what is waiting. */
    void flush() {
        if (count > 0) {
            space.free(ids, local, count, block, payloadBytes, headerBytes);
            count = 0;
            payloadBytes = 0;
            headerBytes = 0;
        }
    }

    int removed() {
        return removed;
    }
}
