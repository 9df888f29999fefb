package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;

/** A chunk of whatever node, read into native memory. Confined to its thread. */
public final class ChunkBytes implements AutoCloseable {
    private final long address;
    private final int bytes;
    private final int reserved;

    /** Reads a chunk. */
    public ChunkBytes(ChunkService chunks, long chunk) {
        this.reserved = Math.max(1, chunks.size(chunk));
        this.address = NativeMemory.reserve(reserved);
        boolean done = false;
        try {
            this.bytes = chunks.get(chunk, address, reserved);
            done = true;
        } finally {
            if (!done) {
                NativeMemory.release(address, reserved);
            }
        }
    }

    /** Where the bytes stand. */
    public long address() {
        return address;
    }

    /** How many they are. */
    public int bytes() {
        return bytes;
    }

    @Override
    public void close() {
        NativeMemory.release(address, reserved);
    }
}
