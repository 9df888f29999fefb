package org.starling.compute.internal.structure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.graph.Structures;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Heads of structures: chunks of JSON, each under the name of its structure. A change makes a new
 * chunk and moves the name from the old one to it in one step, as changes of the catalogue of
 * graphs do. Any thread.
 */
final class Heads {
    private static final Logger LOG = LogManager.getLogger(Heads.class);

    /** So often a change is made again because another one was first. */
    private static final int MAX_TRIES = 1000;

    private static final Duration OWNER_PATIENCE = Duration.ofSeconds(30);

    private final StoreNode store;
    private final PageStore pages;

    private record Found(long chunk, Head head) {}

    Heads(StoreNode store, PageStore pages) {
        this.store = store;
        this.pages = pages;
    }

    /** The head of that name; empty if there is none. */
    Optional<Head> read(String name) {
        return find(name).map(Found::head);
    }

    /**
     * Makes a structure.
     *
     * @return false if there is one of that name
     */
    boolean create(String name, Head head) {
        return swap(name, new Found(ChunkId.NONE, head), head);
    }

    /**
     * Changes a head.
     *
     * @param change may be asked again; what it throws is thrown
     * @return as it is then; empty if there is none of that name
     */
    Optional<Head> change(String name, UnaryOperator<Head> change) {
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            Optional<Found> found = find(name);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Head after = change.apply(found.get().head);
            if (after.equals(found.get().head) || swap(name, found.get(), after)) {
                return Optional.of(after);
            }
        }
        throw new StoreException(name + " is changed by others all the time");
    }

    /** Takes the name away, and then the chunk. */
    void remove(String name) {
        Optional<Found> found = find(name);
        if (found.isPresent() && store.names().remove(name)) {
            removeQuietly(found.get());
        }
    }

    private Optional<Found> find(String name) {
        for (int tries = 1; ; tries++) {
            long chunk = store.names().lookup(name);
            if (chunk == ChunkId.NONE) {
                return Optional.empty();
            }
            try {
                store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
                Head head = parse(store.chunks().get(chunk));
                if (store.names().lookup(name) == chunk) {
                    return Optional.of(new Found(chunk, head));
                }
            } catch (ChunkNotFoundException
                    | IllegalArgumentException
                    | InvalidJsonException other) {
                if (tries >= MAX_TRIES && store.names().lookup(name) == chunk) {
                    throw new StoreException(name + " can't be read", other);
                }
            }
        }
    }

    private boolean swap(String name, Found before, Head head) {
        byte[] bytes = RecordJson.PLAIN.bytes(head);
        // Where pages outlive a peer, what names them does, too, or is not written.
        boolean isToStay = head.durability() != Structures.Durability.MEMORY;
        ChunkService chunks = store.chunks().with(isToStay ? Durability.POWER : store.promised());
        long chunk = pages.create(chunks, new int[] {bytes.length}).getFirst().first();
        try {
            pages.put(chunks, chunk, bytes);
        } catch (StoreException unwritten) {
            removeQuietly(new Found(chunk, head)); // nobody knows of it
            throw unwritten;
        }
        boolean swapped;
        try {
            swapped = store.names().compareAndSet(name, before.chunk, chunk);
        } catch (IndeterminateException unknown) {
            swapped = store.names().lookup(name) == chunk;
            if (!swapped) {
                throw unknown; // the name may still move to the chunk, so that stays
            }
        }
        removeQuietly(swapped ? before : new Found(chunk, head));
        return swapped;
    }

    private void removeQuietly(Found left) {
        if (left.chunk == ChunkId.NONE) {
            return;
        }
        try {
            pages.remove(left.chunk, true, bytes -> isOf(bytes, left.head));
        } catch (StoreException down) {
            LOG.warn("a head stays behind: {}", down.getMessage());
        }
    }

    /** Not of another chunk, which has got the id. */
    private static boolean isOf(byte[] bytes, Head head) {
        return RecordJson.PLAIN.ofBytes(Head.class, bytes).filter(head::equals).isPresent();
    }

    private static Head parse(byte[] bytes) {
        return RecordJson.PLAIN.of(
                Head.class, JsonText.parse(new String(bytes, StandardCharsets.UTF_8)));
    }
}
