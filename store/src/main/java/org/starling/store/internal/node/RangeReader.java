package org.starling.store.internal.node;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.RangeCopy;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.node.ChunkMessage.RangePart;

/**
 * Copies a range chunk by chunk, or in bounded messages from a remote owner, into native memory
 * that grows by doubling. Confined to the calling thread. Closing releases the memory unless it was
 * handed over.
 */
final class RangeReader implements AutoCloseable {
    private static final long FIRST_BYTES = 1 << 20;

    private final long first;
    private final int[] sizes;
    private final Locations locations;
    private final LocalChunks local;
    private final RemoteChunks remote;
    private long memory;
    private long reservedBytes = FIRST_BYTES;
    private long usedBytes;
    private int done;

    RangeReader(
            long first, int count, Locations locations, LocalChunks local, RemoteChunks remote) {
        this.first = first;
        this.locations = locations;
        this.local = local;
        this.remote = remote;
        sizes = new int[count];
        memory = NativeMemory.reserve(reservedBytes);
    }

    RangeCopy read() {
        int moves = 0;
        while (done < sizes.length) {
            long id = first + done;
            if (locations.isOwned(id)) {
                readLocal(id);
                continue;
            }
            int owner = locations.ownerOf(id);
            ChunkMessage.ReadRange request = new ChunkMessage.ReadRange(id, sizes.length - done);
            RangePart part = RemoteChunks.await(remote.read(owner, id, request), false);
            if (part.state() == ChunkMessage.ELSEWHERE && ++moves < Batch.MAX_ROUNDS) {
                locations.forget(id);
                continue;
            }
            RoutedChunks.checkState(part.state(), id, owner);
            take(part, owner);
        }
        RangeCopy copy = new RangeCopy(first, sizes, memory, reservedBytes);
        memory = 0;
        return copy;
    }

    @Override
    public void close() {
        if (memory != 0) {
            NativeMemory.release(memory, reservedBytes);
            memory = 0;
        }
    }

    private void readLocal(long id) {
        byte[] value = local.getOrNull(id);
        sizes[done++] = value == null ? RangeCopy.ABSENT : value.length;
        if (value != null) {
            append(value, 0, value.length);
        }
    }

    /**
     * Checks what came before it is believed: as many sizes as were asked for at most, and their
     * sum is what came.
     */
    private void take(RangePart part, int owner) {
        long sum = 0;
        for (int bytes : part.sizes()) {
            if (bytes < RangeCopy.ABSENT || bytes > ChunkService.MAX_REMOTE_BYTES) {
                throw new StoreException(
                        "node " + owner + " answered with a chunk of " + bytes + " bytes");
            }
            sum += Math.max(0, bytes);
        }
        int count = part.sizes().length;
        if (count < 1 || count > sizes.length - done || sum != part.payload().length) {
            throw new StoreException(
                    "node "
                            + owner
                            + " answered with "
                            + count
                            + " chunks of "
                            + sum
                            + " bytes in "
                            + part.payload().length
                            + " bytes, asked for "
                            + (sizes.length - done)
                            + " chunks");
        }
        System.arraycopy(part.sizes(), 0, sizes, done, count);
        done += count;
        append(part.payload(), 0, part.payload().length);
    }

    private void append(byte[] value, int from, int bytes) {
        if (usedBytes + bytes > reservedBytes) {
            long more = Math.max(2 * reservedBytes, usedBytes + bytes);
            long longer = NativeMemory.reserve(more);
            NativeMemory.copy(memory, longer, usedBytes);
            NativeMemory.release(memory, reservedBytes);
            memory = longer;
            reservedBytes = more;
        }
        NativeMemory.copyFromArray(value, from, memory + usedBytes, bytes);
        usedBytes += bytes;
    }
}
