package org.starling.compute.internal.catalogue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.graph.InvalidInputException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.NodeInfo;
import org.starling.store.OwnerLostException;
import org.starling.store.Role;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;

/**
 * Where the {@link Catalogue} lies: a chunk of JSON under one name. A change makes a new chunk and
 * moves the name from the old one to it in one step of the directory, so changes need no lock, and
 * of two that are made at once one is made again on what the other has left. Once it has backups,
 * or names something that has, it is written with backups or not at all. Any thread.
 */
public final class CatalogueChunk {
    /** The name. */
    public static final String NAME = "catalogue";

    /** So often a change is made again because another one was first. */
    private static final int MAX_TRIES = 1000;

    private static final Duration OWNER_PATIENCE = Duration.ofSeconds(10);

    /** How long a change waits for backups, and from one try to the next. */
    private static final Duration BACKUP_PATIENCE = Duration.ofSeconds(60);

    private static final Duration BACKUP_PAUSE = Duration.ofMillis(200);
    private static final Logger LOG = LogManager.getLogger(CatalogueChunk.class);

    private static final Catalogue EMPTY =
            new Catalogue(0, Leaving.NOBODY, 0, ChunkId.NONE, List.of(), List.of());

    /** Tells this process from others that had a node's id before. */
    static final long LIFE = ThreadLocalRandom.current().nextLong();

    private final StoreNode store;
    private final Duration patience;
    private final Duration ownerPatience;

    private record Found(long chunk, Catalogue value) {}

    /** The catalogue of the cluster of a node. */
    public CatalogueChunk(StoreNode store) {
        this(store, BACKUP_PATIENCE);
    }

    /**
     * The same.
     *
     * @param patience how long a change waits for backups, and at most it waits so long for an
     *     owner
     */
    public CatalogueChunk(StoreNode store, Duration patience) {
        this.store = store;
        this.patience = patience;
        ownerPatience = patience.compareTo(OWNER_PATIENCE) < 0 ? patience : OWNER_PATIENCE;
    }

    /** As it is now. */
    public Catalogue read() {
        for (int tries = 1; ; tries++) {
            Optional<Found> found = find(tries);
            if (found.isPresent() && store.names().lookup(NAME) == found.get().chunk) {
                return found.get().value;
            }
        }
    }

    /**
     * Changes it.
     *
     * @param change may be asked again, if another change was first; what it throws is thrown, and
     *     if it gives back what it was given nothing is changed
     * @return as it is then
     * @throws UnderReplicatedException if it is to have backups, and there are too few for a
     *     minute; nothing is changed then
     */
    public Catalogue change(UnaryOperator<Catalogue> change) {
        for (int tries = 1; ; tries++) {
            Optional<Found> found = find(tries);
            if (found.isEmpty()) {
                continue;
            }
            Catalogue before = found.get().value;
            Catalogue after = change.apply(before);
            if (after.equals(before) && !isTooWeak(found.get())) {
                return before;
            }
            Catalogue written = after.written(store.nodeId(), LIFE, found.get().chunk);
            if (swap(found.get().chunk, written)) {
                removeOrphan(before);
                return written;
            }
        }
    }

    /**
     * Begins an empty one, if what it was is lost for good: its graphs are nobody's any more.
     *
     * @throws InvalidInputException if it can be read, or may be in a while
     */
    void beginAnew() {
        long before = store.names().lookup(NAME);
        boolean isGone = before != ChunkId.NONE && store.isGoneForGood(before);
        try {
            Catalogue _ = read();
        } catch (DataLostException lost) {
            if (!isGone || !store.isGoneForGood(before)) { // and did not come back meanwhile
                throw new InvalidInputException(
                        "the list of kept graphs comes back with the nodes that had it; start them again, or remove those that are gone for good");
            }
            LOG.warn("the list of kept graphs begins anew: {}", lost.getMessage());
            if (!swap(before, EMPTY.written(store.nodeId(), LIFE, ChunkId.NONE))) {
                throw new StoreException("the list of kept graphs has changed meanwhile");
            }
            return;
        }
        throw new InvalidInputException(
                "the list of kept graphs is there; drop them by their names");
    }

    /** The value that the name leads to; nothing if that has just changed. */
    private Optional<Found> find(int tries) {
        if (tries > MAX_TRIES) {
            throw new StoreException("the catalogue of graphs is changed by others all the time");
        }
        long chunk = store.names().lookup(NAME);
        if (chunk == ChunkId.NONE) {
            return Optional.of(new Found(chunk, EMPTY));
        }
        try {
            store.chunks().awaitOwner(chunk, ownerPatience);
            return Optional.of(new Found(chunk, parse(store.chunks().get(chunk))));
        } catch (DataLostException | OwnerLostException lost) {
            throw lost(lost);
        } catch (ChunkNotFoundException | IllegalArgumentException | InvalidJsonException other) {
            if (store.names().lookup(NAME) == chunk && tries == MAX_TRIES) {
                throw hasBackups(chunk)
                        ? new StoreException("the catalogue of graphs can't be read", other)
                        : lost(other);
            }
            return Optional.empty();
        }
    }

    private static DataLostException lost(RuntimeException why) {
        return new DataLostException(
                "the list of kept graphs is lost, and no job begins without it: %s; if it never comes back, \"starling graphs forget --accept-loss\" begins an empty list"
                        .formatted(why.getMessage()));
    }

    private boolean swap(long before, Catalogue value) {
        byte[] bytes = RecordJson.PLAIN.bytes(value);
        boolean isToStay = hasBackups(before) || value.namesBackups();
        long chunk = write(bytes, isToStay);
        boolean swapped;
        try {
            swapped = store.names().compareAndSet(NAME, before, chunk);
        } catch (IndeterminateException unknown) {
            swapped = store.names().lookup(NAME) == chunk;
            if (!swapped) {
                throw unknown; // the name may still move to the chunk, so that stays
            }
        }
        removeQuietly(swapped ? before : chunk);
        return swapped;
    }

    /** What has been written with less than what it names has, as earlier versions did. */
    private static boolean isTooWeak(Found found) {
        return !hasBackups(found.chunk) && found.value.namesBackups();
    }

    private static boolean hasBackups(long chunk) {
        return chunk != ChunkId.NONE && ChunkId.isReplicated(chunk);
    }

    /**
     * Writes a value into a new chunk.
     *
     * @param isToStay whether it is to be on disks, or not written at all; otherwise it has what
     *     the cluster promises now
     */
    private long write(byte[] bytes, boolean isToStay) {
        int[] sizes = {bytes.length};
        long chunk =
                withPatience(
                        () -> create(isToStay ? Durability.POWER : store.promised(), sizes),
                        patience);
        ChunkService chunks = chunks(hasBackups(chunk) ? Durability.POWER : Durability.MEMORY);
        try {
            withPatience(
                    () -> {
                        chunks.put(chunk, bytes);
                        return chunk;
                    },
                    patience);
            return chunk;
        } catch (StoreException failed) {
            removeQuietly(chunk);
            throw failed;
        }
    }

    /**
     * On a peer it needs no acknowledgement, as backups hear of it with its value: one that does
     * not come would leave a chunk that nobody can name.
     */
    private long create(Durability durability, int[] sizes) {
        return store.role() == Role.PEER
                ? chunks(durability).createUnreplicated(sizes)
                : chunks(durability).createOn(home(), sizes);
    }

    private ChunkService chunks(Durability durability) {
        return store.chunks().with(durability);
    }

    /**
     * Writes again while there are too few backups: after a loss it may take longer than a write
     * waits until others have taken their places, and no job shall fail for that.
     */
    static long withPatience(LongSupplier write, Duration patience) {
        long start = System.nanoTime();
        while (true) {
            try {
                return write.getAsLong();
            } catch (UnderReplicatedException few) {
                if (System.nanoTime() - start > patience.toNanos()
                        || Thread.currentThread().isInterrupted()) {
                    throw few;
                }
                LOG.info("the catalogue waits for backups: {}", few.getMessage());
                LockSupport.parkNanos(BACKUP_PAUSE.toNanos());
            }
        }
    }

    private void removeQuietly(long chunk) {
        if (chunk == ChunkId.NONE) {
            return;
        }
        try {
            withPatience(
                    () -> {
                        store.chunks().remove(chunk);
                        return chunk;
                    },
                    patience);
        } catch (StoreException e) {
            LOG.warn(
                    "chunk {} of the catalogue could not be removed: {}",
                    ChunkId.toString(chunk),
                    e.getMessage());
        }
    }

    /** Who wrote a value may have died before it removed the one before. */
    private void removeOrphan(Catalogue written) {
        if (written.previous() == ChunkId.NONE || !isGone(written.writer(), written.life())) {
            return;
        }
        try {
            Catalogue left = parse(store.chunks().get(written.previous()));
            if (left.revision() == written.revision() - 1) {
                store.chunks().remove(written.previous());
            }
        } catch (IllegalArgumentException | StoreException | InvalidJsonException gone) {
            LOG.debug("no orphan of the catalogue: {}", gone.getMessage());
        }
    }

    /** Whether a process that did something will do nothing more. */
    boolean isGone(int node, long life) {
        return node == store.nodeId() ? life != LIFE : store.membership().node(node).isEmpty();
    }

    /** A peer for a superpeer's chunk: one that keeps copies, if there is any. */
    private int home() {
        return store.membership().nodes().stream()
                .filter(node -> node.role() == Role.PEER)
                .min(
                        Comparator.comparing((NodeInfo node) -> !node.stores())
                                .thenComparingInt(NodeInfo::id))
                .orElseThrow(() -> new StoreException("there is no peer"))
                .id();
    }

    private static Catalogue parse(byte[] bytes) {
        return RecordJson.PLAIN.of(
                Catalogue.class, JsonText.parse(new String(bytes, StandardCharsets.UTF_8)));
    }
}
