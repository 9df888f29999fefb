package org.starling.store.internal.node;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * What one node knows of the owners of chunks. A volatile chunk is with its creator, always; a
 * replicated one with the owner of its zone, of which the superpeer tells when it changes and who
 * is asked for when needed. Any thread; never waits. Costs an entry per zone of the cluster, up to
 * {@link #MAX_KNOWN}; nobody tells of zones that were dropped.
 */
final class Locations {
    /** With more zones than this all are forgotten, and asked for again. */
    static final int MAX_KNOWN = 1 << 16;

    private final int self;
    private final LongPredicate ownsZone;
    private final IntPredicate isMember;

    /** Asks the directory for a zone: none or one. */
    private final LongFunction<CompletableFuture<List<ZoneInfo>>> directory;

    /** The newest that is known of each zone. */
    private final Map<Long, ZoneInfo> known = new ConcurrentHashMap<>();

    /** Questions under way, so that a zone is asked for once at a time. */
    private final Map<Long, CompletableFuture<List<ZoneInfo>>> asking = new ConcurrentHashMap<>();

    Locations(
            int self,
            LongPredicate ownsZone,
            IntPredicate isMember,
            LongFunction<CompletableFuture<List<ZoneInfo>>> directory) {
        this.self = self;
        this.ownsZone = ownsZone;
        this.isMember = isMember;
        this.directory = directory;
    }

    /** Whether this node owns a chunk and may be asked for it. */
    boolean isOwned(long id) {
        return ChunkId.isReplicated(id)
                ? ownsZone.test(ChunkId.zone(id))
                : ChunkId.creator(id) == self;
    }

    /**
     * The owner of a chunk, as far as known; asks the directory if need be.
     *
     * @return node id; fails with {@link DataLostException}, {@link ChunkNotFoundException} if the
     *     directory knows no such zone, {@link MovedException} while nobody owns it, or because the
     *     directory does not answer
     */
    CompletableFuture<Integer> ownerOf(long id) {
        if (!ChunkId.isReplicated(id)) {
            return CompletableFuture.completedFuture(ChunkId.creator(id));
        }
        long zone = ChunkId.zone(id);
        if (ownsZone.test(zone)) {
            return CompletableFuture.completedFuture(self);
        }
        ZoneInfo info = known.get(zone);
        // A zone that is said to be this node's own and is not in use (yet) is asked for again.
        if (info != null && !info.lost() && info.owner() != self && isMember.test(info.owner())) {
            return CompletableFuture.completedFuture(info.owner());
        }
        return ownerNow(id);
    }

    /** The owner of a replicated chunk as the directory has it now; else like {@link #ownerOf}. */
    CompletableFuture<Integer> ownerNow(long id) {
        long zone = ChunkId.zone(id);
        return ask(zone)
                .thenApply(answer -> {
                    if (answer.isEmpty()) {
                        throw new ChunkNotFoundException(id);
                    }
                    ZoneInfo now = answer.getFirst();
                    changed(now);
                    if (now.lost() && !now.recoverable()) {
                        throw new DataLostException(id);
                    }
                    boolean isNotReadyHere = now.owner() == self && !ownsZone.test(zone);
                    if (now.lost() || isNotReadyHere || !isMember.test(now.owner())) {
                        throw new MovedException(id, now.owner());
                    }
                    return now.owner();
                });
    }

    /** The directory tells how a zone is; what is older than known is passed over. */
    void changed(ZoneInfo info) {
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        known.merge(
                info.zone(),
                info,
                (before, told) -> told.epoch() >= before.epoch() ? told : before);
    }

    /** What there is to say of the directory to somebody who has waited in vain; may be nothing. */
    String excuse(long id) {
        return asking.containsKey(ChunkId.zone(id))
                ? "; the directory has been asked who owns it now and has not answered yet"
                : "";
    }

    /** Forgets a chunk's owner because it says that it does not own it, or does not answer. */
    void forget(long id) {
        known.remove(ChunkId.zone(id));
    }

    private CompletableFuture<List<ZoneInfo>> ask(long zone) {
        CompletableFuture<List<ZoneInfo>> fresh = new CompletableFuture<>();
        CompletableFuture<List<ZoneInfo>> underWay = asking.putIfAbsent(zone, fresh);
        if (underWay != null) {
            return underWay;
        }
        var _ =
                directory
                        .apply(zone)
                        .whenComplete((answer, failure) -> {
                            asking.remove(zone, fresh);
                            if (failure == null) {
                                fresh.complete(answer);
                            } else {
                                fresh.completeExceptionally(failure);
                            }
                        });
        return fresh;
    }
}
