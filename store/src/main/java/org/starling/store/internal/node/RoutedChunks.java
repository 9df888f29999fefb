package org.starling.store.internal.node;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.RangeCopy;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;
import org.starling.store.UnderReplicatedException;
import org.starling.store.WithheldIds;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;

/**
 * The chunk operations of a node. One look at an id tells a volatile chunk from a replicated one:
 * volatile ones of this node go straight to {@link LocalChunks} on the calling thread, those of
 * others to their creator by {@link RemoteChunks}; replicated ones to the owner of their zone, by
 * {@link OwnedChunks} if that is this node, and to the next owner if that one is lost ({@link
 * RoutedOperation}). Any thread; the blocking methods wait for answers. Immutable.
 */
final class RoutedChunks implements ChunkService {
    /** From one look for the next owner of a zone to the next. */
    private static final long MOVED_PAUSE_NANOS = 20_000_000;

    /** From one look for nodes that come back with lost data to the next. */
    private static final long LOST_PAUSE_NANOS = 50_000_000;

    private final WriteBatch.WriteContext context;
    private final LocalChunks local;
    private final OwnedChunks owned;
    private final OwnerCalls calls;
    private final RemoteChunks remote;
    private final Locations locations;
    private final Retries retries;
    private final Durability durability;
    private final long near;

    /** Whether peers with data directories are members. */
    private final BooleanSupplier isStored;

    /** False on a superpeer. */
    private final boolean holdsChunks;

    RoutedChunks(
            WriteBatch.WriteContext context,
            BooleanSupplier isStored,
            Durability durability,
            boolean holdsChunks) {
        this(context, isStored, durability, ChunkId.NONE, holdsChunks);
    }

    private RoutedChunks(
            WriteBatch.WriteContext context,
            BooleanSupplier isStored,
            Durability durability,
            long near,
            boolean holdsChunks) {
        this.context = context;
        local = context.local();
        owned = context.owned();
        calls = new OwnerCalls(context);
        remote = context.remote();
        locations = context.locations();
        retries = context.retries();
        this.isStored = isStored;
        this.durability = durability;
        this.near = near;
        this.holdsChunks = holdsChunks;
    }

    @Override
    public ChunkService with(Durability other) {
        return new RoutedChunks(context, isStored, other, near, holdsChunks);
    }

    @Override
    public Durability durability() {
        return durability;
    }

    @Override
    public ChunkService near(long id) {
        return ChunkId.isReplicated(id)
                ? new RoutedChunks(context, isStored, durability, id, holdsChunks)
                : this;
    }

    // replication

    @Override
    public void replicate(long first, int count) {
        checkRange(first, count);
        if (ChunkId.isReplicated(first)) {
            RemoteChunks.await(owned.replicate(first, count, durability), true);
        }
    }

    @Override
    public void sync() {
        RemoteChunks.await(owned.sync(_ -> true), true);
    }

    @Override
    public void sync(Collection<Long> ids) {
        Set<Long> zones = ids.stream().map(ChunkId::zone).collect(Collectors.toSet());
        RemoteChunks.await(owned.sync(zones::contains), true);
    }

    @Override
    public int owner(long id) {
        try {
            return RemoteChunks.await(locations.ownerOf(id), false);
        } catch (MovedException | DataLostException e) {
            return NodeMessage.NOBODY;
        }
    }

    @Override
    public int awaitOwner(long id, Duration patience) {
        if (!ChunkId.isReplicated(id)) {
            return ChunkId.creator(id);
        }
        Retries patient = retries.within(patience);
        long deadlineNanos = patient.deadlineNanos();
        DataLostException told = null;
        while (true) {
            try {
                return locations
                        .ownerOf(id)
                        .get(patient.leftNanos(deadlineNanos), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                return nobody(told);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return NodeMessage.NOBODY;
            } catch (ExecutionException e) {
                Throwable cause = RemoteChunks.unwrapped(e);
                if (cause instanceof DataLostException lost) {
                    told = lost;
                } else if (cause instanceof ChunkNotFoundException none) {
                    throw none;
                } else if (!Retries.isWorthwhile(cause)) {
                    return nobody(told);
                } else if (cause instanceof MovedException) {
                    told = null; // it is on its way back
                }
            }
            long pause = told == null ? MOVED_PAUSE_NANOS : LOST_PAUSE_NANOS;
            if (patient.leftNanos(deadlineNanos) <= pause) {
                return nobody(told);
            }
            LockSupport.parkNanos(this, pause);
        }
    }

    /** The time may end while it is asked once more whether data is lost still. */
    private static int nobody(@Nullable DataLostException told) {
        if (told != null) {
            throw told;
        }
        return NodeMessage.NOBODY;
    }

    // create

    @Override
    public long create(int bytes) {
        return durability == Durability.MEMORY
                ? volatileHere().create(bytes)
                : createReplicated(new Sizes.Uniform(1, bytes), true);
    }

    @Override
    public long createRange(int count, int bytes) {
        return create(new Sizes.Uniform(count, bytes));
    }

    @Override
    public long createRange(int[] sizes, int offset, int count) {
        return create(new Sizes.InArray(sizes, offset, count));
    }

    @Override
    public long createUnreplicated(int[] sizes) {
        Sizes all = new Sizes.InArray(sizes, 0, sizes.length);
        return durability == Durability.MEMORY
                ? volatileHere().createRange(all)
                : createReplicated(all, false);
    }

    @Override
    public long createRange(long sizesAddress, int count) {
        return create(new Sizes.InMemory(sizesAddress, count));
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
        checkStored();
        ChunkMessage.Create request = new ChunkMessage.Create(durability, sizes);
        return RemoteChunks.await(
                remote.write(peer, ChunkId.of(peer, 0), request)
                        .thenApply(answer -> OwnerCalls.value(answer, ChunkId.NONE, peer)),
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
        if (isVolatileHere(id)) {
            return local.get(id);
        }
        byte[] value = isReplicatedHere(id) ? local.getOrNull(id) : null;
        return value != null && owned.isSettled(id)
                ? value
                : RemoteChunks.await(getAsync(id), false);
    }

    @Override
    public int get(long id, long address, int capacity) {
        if (isVolatileHere(id)) {
            int bytes = local.getOrAbsent(id, address, capacity);
            if (bytes < 0) {
                throw new ChunkNotFoundException(id);
            }
            return bytes;
        }
        if (isReplicatedHere(id)) {
            int bytes = local.getOrAbsent(id, address, capacity);
            if (bytes >= 0 && owned.isSettled(id)) {
                return bytes;
            }
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
        try (RangeReader reader =
                new RangeReader(first, count, locations, retries, local, owned, remote)) {
            return reader.read();
        }
    }

    // write

    @Override
    public void put(long id, byte[] value) {
        if (isVolatileHere(id)) {
            Durabilities.check(id, durability);
            local.put(id, value);
        } else {
            RemoteChunks.await(putAsync(id, value), true);
        }
    }

    @Override
    public void put(long id, long address, int bytes) {
        Durabilities.check(id, durability);
        if (isVolatileHere(id)) {
            local.put(id, address, bytes);
            return;
        }
        checkLength(bytes);
        if (bytes > MAX_REMOTE_BYTES) {
            throw OwnerCalls.tooLong(id, bytes);
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
        Durabilities.check(id, durability);
        if (isVolatileHere(id)) {
            local.resize(id, bytes);
            return;
        }
        calls.change(
                id,
                sequence -> new ChunkMessage.Resize(durability, sequence, id, bytes),
                tag -> owned.resize(id, bytes, durability, tag));
    }

    @Override
    public void remove(long id) {
        if (isVolatileHere(id)) {
            local.remove(id);
            return;
        }
        calls.change(
                id,
                sequence ->
                        new ChunkMessage.Remove(
                                durability,
                                sequence,
                                new long[] {id},
                                OwnerCalls.offsets(sequence)),
                tag -> owned.remove(id, durability, tag));
    }

    @Override
    public void remove(long[] ids) {
        RemoteChunks.await(removeAsync(ids), true);
    }

    @Override
    public int removeRange(long first, int count) {
        checkRange(first, count);
        if (isVolatileHere(first)) {
            return local.removeRange(first, count);
        }
        return (int)
                calls.change(
                        first,
                        sequence ->
                                new ChunkMessage.RemoveRange(durability, sequence, first, count),
                        tag -> owned.removeRange(first, count, durability, tag));
    }

    // asynchronous

    @Override
    public CompletableFuture<byte[]> getAsync(long id) {
        return calls.atOwner(
                id,
                owner -> {
                    return owner == local.nodeId()
                            ? owned.read(id, () -> local.get(id))
                            : remote.get(owner, id);
                });
    }

    @Override
    public CompletableFuture<Chunks> getAsync(long[] ids) {
        return new GetBatch(ids.clone(), locations, retries, local, owned, remote).chunks();
    }

    @Override
    public CompletableFuture<Void> putAsync(long id, byte[] value) {
        Durabilities.check(id, durability);
        if (isVolatileHere(id)) {
            return owned.put(id, value, durability, WriteTag.NONE).thenAccept(done -> {});
        }
        if (!locations.isOwned(id) && value.length > MAX_REMOTE_BYTES) {
            return CompletableFuture.failedFuture(OwnerCalls.tooLong(id, value.length));
        }
        return calls.changeAsync(
                        id,
                        (owner, sequence) -> remote.put(owner, durability, id, sequence, value),
                        tag -> owned.put(id, value, durability, tag))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> putAsync(long[] ids, byte[][] values) {
        Durabilities.check(ids, durability);
        return new WriteBatch.Put(ids.clone(), values.clone(), context, durability).run();
    }

    @Override
    public CompletableFuture<Void> removeAsync(long[] ids) {
        return new WriteBatch.Remove(ids.clone(), context, durability).run();
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
        PinnedRange range = local.pin(first, count);
        if (ChunkId.isReplicated(first) && !locations.isOwned(first)) {
            range.close(); // handed over meanwhile, by somebody who had not seen the pin yet
            throw new StoreException(
                    "chunk "
                            + ChunkId.toString(first)
                            + " has just been handed over to another node");
        }
        return range;
    }

    @Override
    public WithheldIds withhold(long first, int count) {
        return local.withhold(first, count);
    }

    @Override
    public StoreStatistics statistics() {
        return local.statistics();
    }

    // private

    private boolean isVolatileHere(long id) {
        return !ChunkId.isReplicated(id) && ChunkId.creator(id) == local.nodeId();
    }

    /**
     * Most reads of such a chunk depend on nothing that is to be waited for, and need no future.
     */
    private boolean isReplicatedHere(long id) {
        return ChunkId.isReplicated(id) && locations.isOwned(id);
    }

    private int sizeOrAbsent(long id) {
        if (isVolatileHere(id)) {
            return local.sizeOrAbsent(id);
        }
        if (isReplicatedHere(id)) {
            int bytes = local.sizeOrAbsent(id);
            if (owned.isSettled(id)) {
                return bytes;
            }
        }
        try {
            return RemoteChunks.await(calls.atOwner(id, owner -> calls.sizeAt(owner, id)), false);
        } catch (ChunkNotFoundException e) {
            // There is no such zone.
            return -1;
        }
    }

    private long create(Sizes sizes) {
        return durability == Durability.MEMORY
                ? volatileHere().createRange(sizes)
                : createReplicated(sizes, true);
    }

    private LocalChunks volatileHere() {
        checkCreates();
        return local;
    }

    private long createReplicated(Sizes sizes, boolean isLogged) {
        checkCreates();
        checkStored();
        return RemoteChunks.await(owned.create(sizes, durability, near, isLogged), true).first();
    }

    private void checkCreates() {
        if (!holdsChunks) {
            throw new StoreException(
                    "node "
                            + local.nodeId()
                            + " is a superpeer and holds no chunks; create on a peer");
        }
    }

    /** A cluster that keeps nothing on disk says so at once. */
    private void checkStored() {
        if (durability != Durability.MEMORY && !isStored.getAsBoolean()) {
            throw new UnderReplicatedException(durability, owned.leastBackups(), 0);
        }
    }

    private static void checkLength(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("length " + bytes + " is negative");
        }
    }

    private static void checkRange(long first, int count) {
        long last = first + count - 1L;
        boolean isTogether =
                ChunkId.isReplicated(first)
                        ? ChunkId.zone(last) == ChunkId.zone(first)
                        : ChunkId.creator(last) == ChunkId.creator(first)
                                && !ChunkId.isReplicated(last);
        if (count < 1 || !isTogether) {
            throw new IllegalArgumentException(
                    "no range: "
                            + count
                            + " ids from "
                            + ChunkId.toString(first)
                            + " on (at least 1, one creator, one zone)");
        }
    }
}
