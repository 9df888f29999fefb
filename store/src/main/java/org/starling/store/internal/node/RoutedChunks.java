package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.starling.net.NativeMemory;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.RangeCopy;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.node.ChunkMessage.Outcomes;

/**
 * The chunk operations of a node: what it owns goes to {@link LocalChunks} on the calling thread,
 * the rest to the owner by {@link RemoteChunks}. An owner that does not own a chunk any more says
 * so; then the directory is asked again, a bounded number of times. Any thread; the blocking
 * methods wait for answers. Immutable.
 */
final class RoutedChunks implements ChunkService {
    private final LocalChunks local;
    private final RemoteChunks remote;
    private final Locations locations;
    private final Durability durability;

    /** False on a superpeer. */
    private final boolean holdsChunks;

    RoutedChunks(
            LocalChunks local,
            RemoteChunks remote,
            Locations locations,
            Durability durability,
            boolean holdsChunks) {
        this.local = local;
        this.remote = remote;
        this.locations = locations;
        this.durability = durability;
        this.holdsChunks = holdsChunks;
    }

    @Override
    public ChunkService with(Durability other) {
        return new RoutedChunks(local, remote, locations, other, holdsChunks);
    }

    @Override
    public Durability durability() {
        return durability;
    }

    @Override
    public ChunkService near(long id) {
        return this;
    }

    // replication

    @Override
    public void replicate(long first, int count) {
        checkRange(first, count);
    }

    @Override
    public void sync() {
        // nothing is replicated
    }

    @Override
    public int owner(long id) {
        return locations.ownerOf(id);
    }

    @Override
    public int awaitOwner(long id, Duration patience) {
        return owner(id);
    }

    // create

    @Override
    public long create(int bytes) {
        checkCreates();
        return local.create(bytes);
    }

    @Override
    public long createRange(int count, int bytes) {
        checkCreates();
        return local.createRange(new Sizes.Uniform(count, bytes));
    }

    @Override
    public long createRange(int[] sizes, int offset, int count) {
        checkCreates();
        return local.createRange(new Sizes.InArray(sizes, offset, count));
    }

    @Override
    public long createRange(long sizesAddress, int count) {
        checkCreates();
        return local.createRange(new Sizes.InMemory(sizesAddress, count));
    }

    @Override
    public long createOn(int peer, int[] sizes) {
        if (peer == local.nodeId()) {
            return createRange(sizes);
        }
        if (sizes.length < 1 || sizes.length > MAX_REMOTE_COUNT) {
            throw new IllegalArgumentException(
                    "a range on another node has 1 to "
                            + MAX_REMOTE_COUNT
                            + " chunks, not "
                            + sizes.length);
        }
        Durabilities.check(durability);
        ChunkMessage.Create request = new ChunkMessage.Create(durability, sizes);
        return RemoteChunks.await(
                remote.write(peer, ChunkId.of(peer, 0), request)
                        .thenApply(answer -> value(answer, ChunkId.NONE, peer)),
                true);
    }

    // read

    @Override
    public boolean exists(long id) {
        return sizeOrAbsent(id) >= 0;
    }

    @Override
    public int size(long id) {
        int bytes = sizeOrAbsent(id);
        if (bytes < 0) {
            throw new ChunkNotFoundException(id);
        }
        return bytes;
    }

    @Override
    public byte[] get(long id) {
        return locations.isOwned(id) ? local.get(id) : RemoteChunks.await(getAsync(id), false);
    }

    @Override
    public int get(long id, long address, int capacity) {
        if (locations.isOwned(id)) {
            int bytes = local.getOrAbsent(id, address, capacity);
            if (bytes < 0) {
                throw new ChunkNotFoundException(id);
            }
            return bytes;
        }
        byte[] value = RemoteChunks.await(getAsync(id), false);
        if (value.length > capacity) {
            throw new IllegalArgumentException(
                    "chunk "
                            + ChunkId.toString(id)
                            + " has "
                            + value.length
                            + " bytes, more than the "
                            + capacity
                            + " that can be taken");
        }
        NativeMemory.copyFromArray(value, 0, address, value.length);
        return value.length;
    }

    @Override
    public Chunks get(long[] ids) {
        return RemoteChunks.await(getAsync(ids), false);
    }

    @Override
    public RangeCopy readRange(long first, int count) {
        checkRange(first, count);
        try (RangeReader reader = new RangeReader(first, count, locations, local, remote)) {
            return reader.read();
        }
    }

    // write

    @Override
    public void put(long id, byte[] value) {
        Durabilities.check(durability);
        if (locations.isOwned(id)) {
            local.put(id, value);
        } else {
            RemoteChunks.await(putAsync(id, value), true);
        }
    }

    @Override
    public void put(long id, long address, int bytes) {
        Durabilities.check(durability);
        if (locations.isOwned(id)) {
            local.put(id, address, bytes);
            return;
        }
        checkLength(bytes);
        if (bytes > MAX_REMOTE_BYTES) {
            throw tooLong(id, bytes);
        }
        byte[] value = new byte[bytes];
        NativeMemory.copyToArray(address, value, 0, bytes);
        RemoteChunks.await(putAsync(id, value), true);
    }

    @Override
    public void put(long[] ids, byte[][] values) {
        RemoteChunks.await(putAsync(ids, values), true);
    }

    @Override
    public void resize(long id, int bytes) {
        checkLength(bytes);
        Durabilities.check(durability);
        change(
                id,
                new ChunkMessage.Resize(durability, id, bytes),
                () -> {
                    local.resize(id, bytes);
                    return 0;
                });
    }

    @Override
    public void remove(long id) {
        Durabilities.check(durability);
        change(
                id,
                new ChunkMessage.Remove(durability, new long[] {id}),
                () -> {
                    local.remove(id);
                    return 0;
                });
    }

    @Override
    public void remove(long[] ids) {
        RemoteChunks.await(removeAsync(ids), true);
    }

    @Override
    public int removeRange(long first, int count) {
        checkRange(first, count);
        Durabilities.check(durability);
        return (int)
                change(
                        first,
                        new ChunkMessage.RemoveRange(durability, first, count),
                        () -> local.removeRange(first, count));
    }

    // asynchronous

    @Override
    public CompletableFuture<byte[]> getAsync(long id) {
        return atOwner(
                id,
                1,
                owner -> {
                    if (owner == local.nodeId()) {
                        return now(() -> local.get(id));
                    }
                    return remote.read(owner, id, new ChunkMessage.Get(new long[] {id}))
                            .thenApply(answer -> {
                                byte[] value =
                                        answer.values().length == 1 ? answer.values()[0] : null;
                                if (value != null) {
                                    return value;
                                }
                                checkState(
                                        answer.states().length == 1
                                                ? answer.states()[0]
                                                : ChunkMessage.ABSENT,
                                        id,
                                        owner);
                                throw new ChunkNotFoundException(id);
                            });
                });
    }

    @Override
    public CompletableFuture<Chunks> getAsync(long[] ids) {
        return new GetBatch(ids.clone(), locations, local, remote).chunks();
    }

    @Override
    public CompletableFuture<Void> putAsync(long id, byte[] value) {
        Durabilities.check(durability);
        if (!locations.isOwned(id) && value.length > MAX_REMOTE_BYTES) {
            return CompletableFuture.failedFuture(tooLong(id, value.length));
        }
        ChunkMessage.Put request =
                new ChunkMessage.Put(durability, new long[] {id}, new byte[][] {value});
        return changeAsync(
                        id,
                        request,
                        () -> {
                            local.put(id, value);
                            return 0;
                        })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> putAsync(long[] ids, byte[][] values) {
        Durabilities.check(durability);
        return new WriteBatch.Put(ids.clone(), values.clone(), locations, local, remote, durability)
                .run();
    }

    @Override
    public CompletableFuture<Void> removeAsync(long[] ids) {
        Durabilities.check(durability);
        return new WriteBatch.Remove(ids.clone(), locations, local, remote, durability).run();
    }

    // local

    @Override
    public boolean isLocal(long id) {
        return locations.isOwned(id);
    }

    @Override
    public PinnedRange pin(long first, int count) {
        if (!locations.isOwned(first)) {
            throw new StoreException(
                    "chunk "
                            + ChunkId.toString(first)
                            + " is not on this node; only local chunks can be pinned (read remote ones with readRange)");
        }
        return local.pin(first, count);
    }

    @Override
    public StoreStatistics statistics() {
        return local.statistics();
    }

    // for its neighbours in this package

    static StoreException tooLong(long id, int bytes) {
        return new StoreException(
                "chunk "
                        + ChunkId.toString(id)
                        + " has "
                        + bytes
                        + " bytes or more; at most "
                        + MAX_REMOTE_BYTES
                        + " can cross the network, so use it on its owner");
    }

    /** Lets the state of a present or absent chunk pass. */
    static void checkState(byte state, long id, int owner) {
        if (state == ChunkMessage.ELSEWHERE) {
            throw new MovedException(id, owner);
        }
        if (state == ChunkMessage.TOO_LONG) {
            throw tooLong(id, MAX_REMOTE_BYTES);
        }
    }

    // private

    /** Something done on a local chunk; its result is a number. */
    @FunctionalInterface
    private interface LocalChange {
        long run();
    }

    @FunctionalInterface
    private interface LocalRead<T> {
        T run();
    }

    private static <T> CompletableFuture<T> now(LocalRead<T> read) {
        try {
            return CompletableFuture.completedFuture(read.run());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private long change(long id, Request<Outcomes> request, LocalChange change) {
        return locations.isOwned(id)
                ? change.run()
                : RemoteChunks.await(changeAsync(id, request, change), true);
    }

    private CompletableFuture<Long> changeAsync(
            long id, Request<Outcomes> request, LocalChange change) {
        return atOwner(
                id,
                1,
                owner ->
                        owner == local.nodeId()
                                ? now(change::run)
                                : remote.write(owner, id, request)
                                        .thenApply(answer -> value(answer, id, owner)));
    }

    private long value(Outcomes answer, long id, int owner) {
        for (ChunkMessage.Failure failure : answer.failures()) {
            if (failure.outcome() == Outcome.NOT_OWNER) {
                throw new MovedException(id, owner);
            }
            throw failure.outcome().toException(id, failure.text(), durability);
        }
        return answer.value();
    }

    /**
     * Runs an operation at the owner of a chunk, and again where the directory says if the chunk
     * has moved.
     */
    private <T> CompletableFuture<T> atOwner(
            long id, int attempt, IntFunction<CompletableFuture<T>> operation) {
        return operation
                .apply(locations.ownerOf(id))
                .exceptionallyCompose(failure -> {
                    Throwable cause = RemoteChunks.unwrapped(failure);
                    if (cause instanceof MovedException && attempt < Batch.MAX_ROUNDS) {
                        locations.forget(id);
                        // Asking the directory waits, which this thread, a receiving one, must not.
                        return CompletableFuture.completedFuture(attempt + 1)
                                .thenComposeAsync(next -> atOwner(id, next, operation));
                    }
                    return CompletableFuture.failedFuture(cause);
                });
    }

    private int sizeOrAbsent(long id) {
        if (locations.isOwned(id)) {
            return local.sizeOrAbsent(id);
        }
        return RemoteChunks.await(
                atOwner(
                        id,
                        1,
                        owner -> {
                            if (owner == local.nodeId()) {
                                return now(() -> local.sizeOrAbsent(id));
                            }
                            return remote.read(owner, id, new ChunkMessage.Size(id))
                                    .thenApply(answer -> {
                                        checkState(answer.state(), id, owner);
                                        return answer.state() == ChunkMessage.PRESENT
                                                ? answer.bytes()
                                                : -1;
                                    });
                        }),
                false);
    }

    private void checkCreates() {
        if (!holdsChunks) {
            throw new StoreException(
                    "node "
                            + local.nodeId()
                            + " is a superpeer and holds no chunks; create on a peer");
        }
        Durabilities.check(durability);
    }

    private static void checkLength(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("length " + bytes + " is negative");
        }
    }

    private static void checkRange(long first, int count) {
        if (count < 1 || ChunkId.local(first) + count - 1 > ChunkId.MAX_LOCAL) {
            throw new IllegalArgumentException(
                    "no range: "
                            + count
                            + " ids from "
                            + ChunkId.toString(first)
                            + " on (at least 1, one creator)");
        }
    }
}
