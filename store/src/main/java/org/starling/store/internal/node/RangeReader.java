package org.starling.store.internal.node;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
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
    private final Retries retries;
    private final LocalChunks local;
    private final OwnedChunks owned;
    private final RemoteChunks remote;
    private long memory;
    private long reservedBytes = FIRST_BYTES;
    private long usedBytes;
    private int done;

    RangeReader(
            long first,
            int count,
            Locations locations,
            Retries retries,
            LocalChunks local,
            OwnedChunks owned,
            RemoteChunks remote) {
        this.first = first;
        this.locations = locations;
        this.retries = retries;
        this.local = local;
        this.owned = owned;
        this.remote = remote;
        sizes = new int[count];
        memory = NativeMemory.reserve(reservedBytes);
    }

    RangeCopy read() {
        int moves = 0;
        while (done < sizes.length) {
            long id = first + done;
            if (ChunkId.isReplicated(id)) {
                readReplicated(id);
                continue;
            }
            if (locations.isOwned(id)) {
                append(local.getOrNull(id));
                continue;
            }
            int owner = ChunkId.creator(id);
            RangePart part = RemoteChunks.await(ask(owner, id), false);
            if (part.state() == ChunkMessage.ELSEWHERE && ++moves < Batch.MAX_ROUNDS) {
                continue;
            }
            OwnerCalls.checkState(part.state(), id, owner);
            take(part, owner);
        }
        RangeCopy copy = new RangeCopy(first, sizes, memory, reservedBytes);
        memory = 0;
        return copy;
    }

    /** The next part of a range that belongs to one zone, from wherever its owner is. */
    private void readReplicated(long id) {
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record Answer(int owner, @Nullable RangePart part, byte @Nullable [] value) {}
        RoutedOperation<Answer> operation =
                new RoutedOperation<>(
                        id,
                        locations,
                        retries,
                        owner -> {
                            if (owner == local.nodeId()) {
                                return owned.read(id, () -> local.getOrNull(id))
                                        .thenApply(value -> new Answer(owner, null, value));
                            }
                            return ask(owner, id)
                                    .thenApply(part -> {
                                        OwnerCalls.checkState(part.state(), id, owner);
                                        return new Answer(owner, part, null);
                                    });
                        });
        Answer answer;
        try {
            answer = RemoteChunks.await(operation.run(), false);
        } catch (ChunkNotFoundException e) {
            // There is no such zone, so none of its chunks.
            Arrays.fill(sizes, done, sizes.length, RangeCopy.ABSENT);
            done = sizes.length;
            return;
        }
        if (answer.part() != null) {
            take(answer.part(), answer.owner());
        } else {
            append(answer.value());
        }
    }

    private CompletableFuture<RangePart> ask(int owner, long id) {
        return remote.read(owner, id, new ChunkMessage.ReadRange(id, sizes.length - done));
    }

    @Override
    public void close() {
        if (memory != 0) {
            NativeMemory.release(memory, reservedBytes);
            memory = 0;
        }
    }

    private void append(byte @Nullable [] value) {
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
