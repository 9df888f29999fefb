package org.starling.store.internal.node;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Removed;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.chunk.ZoneFullException;
import org.starling.store.internal.replica.Executed;
import org.starling.store.internal.replica.OwnedZones;
import org.starling.store.internal.replica.WriteGuard;
import org.starling.store.internal.replica.ZoneMovedException;

/**
 * Operations on the chunks that this node owns, for its own callers and for other nodes. Those on
 * volatile chunks are done in memory, at once; replicated ones are the rest of this: a write is
 * admitted (retries are told apart, backups counted), done in memory and put into its zone's
 * stream, waited for at the backups, and answered only if the node's lease still holds then. A read
 * is done, waits for what it may have seen and is not acknowledged yet, and is answered only under
 * the lease, too. Any thread that may wait a moment; futures may complete on receiving threads.
 */
final class OwnedChunks {
    /** Changes chunks in memory, with the tag of the operation in the zone's stream. */
    @FunctionalInterface
    interface Change {
        Executed run(WriteTag tag);
    }

    /**
     * A creation looks for a zone so often: the one that was chosen may be full, given up or
     * dropped before it is used.
     */
    private static final int MAX_ZONES_TRIED = 16;

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final LocalChunks local;

    /** Null on a node that stores nothing replicated. */
    private final @Nullable OwnedZones zones;

    private final Lease lease;
    private final int leastBackups;

    OwnedChunks(LocalChunks local, @Nullable OwnedZones zones, Lease lease, int leastBackups) {
        this.leastBackups = leastBackups;
        this.local = local;
        this.zones = zones;
        this.lease = lease;
    }

    /** So many backups does a write take that is to survive anything. */
    int leastBackups() {
        return leastBackups;
    }

    boolean owns(long zone) {
        return zones != null && zones.owns(zone);
    }

    // write

    CompletableFuture<Executed> put(long id, byte[] value, Durability durability, WriteTag asker) {
        return write(
                id,
                durability,
                asker,
                tag -> {
                    Durabilities.check(id, durability);
                    return new Executed(local.put(id, value, tag), id, 1);
                });
    }

    CompletableFuture<Executed> resize(long id, int bytes, Durability durability, WriteTag asker) {
        return write(
                id,
                durability,
                asker,
                tag -> {
                    Durabilities.check(id, durability);
                    return new Executed(local.resize(id, bytes, tag), id, 1);
                });
    }

    CompletableFuture<Executed> remove(long id, Durability durability, WriteTag asker) {
        return write(id, durability, asker, tag -> new Executed(local.remove(id, tag), id, 1));
    }

    CompletableFuture<Executed> removeRange(
            long first, int count, Durability durability, WriteTag asker) {
        return write(
                first,
                durability,
                asker,
                tag -> {
                    Removed removed = local.removeRange(first, count, tag);
                    return new Executed(removed.position(), first, removed.count());
                });
    }

    /**
     * Creates a range in a zone of this node, and waits while one is opened; a volatile one with
     * durability MEMORY.
     *
     * @param near a chunk to whose zone it is to go, or {@link ChunkId#NONE}
     * @param isLogged whether the backups are to hear of it
     * @return completes with the id of the first
     */
    CompletableFuture<Executed> create(
            Sizes sizes, Durability durability, long near, boolean isLogged) {
        if (durability == Durability.MEMORY) {
            return inMemory(tag -> new Executed(0, local.createRange(sizes), sizes.count()));
        }
        if (zones == null) {
            throw new UnderReplicatedException(
                    "a chunk of durability "
                            + durability
                            + " needs a node with a data directory and "
                            + (leastBackups == 1 ? "one more as backup" : "two more as backups")
                            + "; this node has none, so create with durability MEMORY");
        }
        Sizes.Totals totals = sizes.totals();
        long bytes = totals.payloadBytes() + totals.headerBytes();
        for (int attempt = 1; ; attempt++) {
            long zone = zones.zoneForCreate(bytes, near == ChunkId.NONE ? 0 : near);
            boolean isNear = near != ChunkId.NONE && zone == ChunkId.zone(near);
            try {
                CompletableFuture<Executed> created = createIn(zone, sizes, durability, isLogged);
                if (isNear || attempt == MAX_ZONES_TRIED || !hasMoved(created)) {
                    return created;
                }
            } catch (ZoneFullException e) {
                if (isNear || attempt == MAX_ZONES_TRIED) {
                    throw e;
                }
            }
        }
    }

    private CompletableFuture<Executed> createIn(
            long zone, Sizes sizes, Durability durability, boolean isLogged) {
        WriteGuard guard;
        try {
            guard = owned(ChunkId.ofZone(zone, 0)).admit(zone, WriteTag.NONE, durability);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
        return write(
                guard,
                ChunkId.ofZone(zone, 0),
                durability,
                WriteTag.NONE,
                tag -> {
                    Created created = local.create(zone, sizes, tag, isLogged);
                    return new Executed(created.position(), created.first(), sizes.count());
                });
    }

    /** Whether the zone went away between being chosen and being used; nothing was created then. */
    private static boolean hasMoved(CompletableFuture<?> created) {
        if (!created.isCompletedExceptionally()) {
            return false;
        }
        Throwable failure = RemoteChunks.unwrapped(created.exceptionNow());
        return failure instanceof ZoneMovedException || failure instanceof MovedException;
    }

    /** Brings values that were written in place to the backups. */
    CompletableFuture<Void> replicate(long first, int count, Durability durability) {
        OwnedZones owned = owned(first);
        long position = owned.replicate(first, count);
        return acknowledged(owned, first, position, durability);
    }

    /** Everything of this node in these zones is on disks. */
    CompletableFuture<Void> sync(LongPredicate which) {
        return zones == null
                ? CompletableFuture.completedFuture(null)
                : zones.sync(which).thenCompose(done -> lease.check());
    }

    // read

    /** Reads; an absent chunk is answered by what the read returns, or by its exception. */
    <T extends @Nullable Object> CompletableFuture<T> read(long id, Supplier<T> read) {
        T value;
        try {
            value = read.get();
        } catch (StoreException e) {
            // Absence is a result, too, and has to be as certain as another.
            return settled(id)
                    .thenApply(done -> {
                        throw e;
                    });
        }
        return isSettled(id)
                ? CompletableFuture.completedFuture(value)
                : settled(id).thenApply(done -> value);
    }

    /** After a read: whether it may be answered, for sure; otherwise {@link #settled} tells. */
    boolean isSettled(long id) {
        return !ChunkId.isReplicated(id)
                || (zones != null && zones.isSettled(id) && lease.isValid());
    }

    /** After a read: completes when it may be answered. */
    CompletableFuture<Void> settled(long id) {
        if (!ChunkId.isReplicated(id)) {
            return DONE;
        }
        if (!owns(ChunkId.zone(id)) || zones == null) {
            return CompletableFuture.failedFuture(new MovedException(id, local.nodeId()));
        }
        if (zones.isLost(id)) {
            return CompletableFuture.failedFuture(new DataLostException(id));
        }
        CompletableFuture<Void> settled = zones.settled(id);
        CompletableFuture<Void> all =
                settled.isDone() && !settled.isCompletedExceptionally()
                        ? lease.check()
                        : settled.thenCompose(done -> lease.check());
        return all.isDone() && !all.isCompletedExceptionally()
                ? all
                : all.exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(
                                Retries.isWorthwhile(RemoteChunks.unwrapped(failure))
                                        ? RemoteChunks.unwrapped(failure)
                                        : new MovedException(id, local.nodeId())));
    }

    // private

    private OwnedZones owned(long id) {
        if (zones == null || !zones.owns(ChunkId.zone(id))) {
            throw new MovedException(id, local.nodeId());
        }
        return zones;
    }

    /** Never waits: where backups are missing or behind, another thread does. */
    private CompletableFuture<Executed> write(
            long id, Durability durability, WriteTag asker, Change change) {
        if (!ChunkId.isReplicated(id)) {
            return inMemory(change);
        }
        long zone = ChunkId.zone(id);
        OwnedZones owned;
        WriteGuard guard;
        try {
            owned = owned(id);
            guard = owned.tryAdmit(zone, asker, durability);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
        return guard != null
                ? write(guard, id, durability, asker, change)
                : CompletableFuture.supplyAsync(
                                () -> owned.admit(zone, asker, durability), Asker.THREADS)
                        .thenCompose(late -> write(late, id, durability, asker, change));
    }

    private CompletableFuture<Executed> write(
            WriteGuard guard, long id, Durability durability, WriteTag asker, Change change) {
        OwnedZones owned;
        try {
            owned = owned(id);
        } catch (StoreException e) {
            if (guard.isFresh()) {
                guard.failed(e);
            }
            return CompletableFuture.failedFuture(e);
        }
        if (!guard.isFresh()) {
            return guard.first()
                    .thenCompose(first ->
                            acknowledged(owned, id, first.position(), durability)
                                    .thenApply(done -> first));
        }
        Executed executed;
        try {
            if (owned.isLost(id)) {
                throw new DataLostException(id);
            }
            executed = change.run(asker);
        } catch (ZoneFullException e) {
            guard.failed(e);
            throw e;
        } catch (StoreException e) {
            guard.failed(e);
            // That the chunk is absent, for example, is an answer like that of a read.
            return settled(id).thenCompose(done -> CompletableFuture.failedFuture(e));
        } catch (RuntimeException e) {
            guard.failed(e);
            return CompletableFuture.failedFuture(e);
        }
        guard.done(executed);
        return acknowledged(owned, id, executed.position(), durability).thenApply(done -> executed);
    }

    /** A change of volatile chunks. */
    private static CompletableFuture<Executed> inMemory(Change change) {
        try {
            return CompletableFuture.completedFuture(change.run(WriteTag.NONE));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** From here on a failure leaves open whether the write will be found in effect. */
    private CompletableFuture<Void> acknowledged(
            OwnedZones owned, long id, long position, Durability durability) {
        CompletableFuture<Void> reached =
                position == 0
                        ? CompletableFuture.completedFuture(null)
                        : owned.await(id, position, durability);
        return reached.thenCompose(done -> lease.check())
                .exceptionallyCompose(failure -> {
                    Throwable cause = RemoteChunks.unwrapped(failure);
                    return CompletableFuture.failedFuture(
                            cause instanceof IndeterminateException
                                    ? cause
                                    : new IndeterminateException(
                                            "a write of chunk "
                                                    + ChunkId.toString(id)
                                                    + " was not acknowledged and may have taken effect: "
                                                    + cause.getMessage(),
                                            cause));
                });
    }
}
