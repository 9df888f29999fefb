package org.starling.compute.internal.structure;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.graph.JobFailedException;
import org.starling.graph.Structures.Durability;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** Pages of structures as chunks, spread over the peers in turn. Any thread. */
final class PageStore {
    private static final Logger LOG = LogManager.getLogger(PageStore.class);
    private static final Duration OWNER_PATIENCE = Duration.ofSeconds(60);

    /** Owners that may be lost one after the other while something is read or written. */
    private static final int MAX_TRIES = 4;

    private final StoreNode store;

    PageStore(StoreNode store) {
        this.store = store;
    }

    /** The service whose writes are as durable as a structure's. */
    ChunkService chunks(Durability durability) {
        return store.chunks()
                .with(
                        switch (durability) {
                            case MEMORY -> org.starling.store.Durability.MEMORY;
                            case PROCESS -> org.starling.store.Durability.PROCESS;
                            case POWER -> org.starling.store.Durability.POWER;
                        });
    }

    /** Makes chunks of these lengths, in their order, and as many on each peer. */
    List<Span> create(ChunkService chunks, int[] sizes) {
        long token = ThreadLocalRandom.current().nextLong();
        int[] peers = store.membership().keepers("a structure");
        int turn = ThreadLocalRandom.current().nextInt(peers.length);
        int groups = Math.min(peers.length, sizes.length);
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            int from = (int) ((long) sizes.length * i / groups);
            int to = (int) ((long) sizes.length * (i + 1) / groups);
            long first = create(chunks, Arrays.copyOfRange(sizes, from, to), turn + i);
            spans.add(new Span(first, to - from, token));
        }
        return spans;
    }

    private long create(ChunkService chunks, int[] sizes, int turn) {
        for (int tries = 0; ; tries++) {
            int[] peers = store.membership().keepers("a structure");
            try {
                return chunks.createOn(peers[(turn + tries) % peers.length], sizes);
            } catch (OutOfChunkMemoryException full) {
                throw new JobFailedException(
                        "a structure has no room in the memory of the peers: " + full.getMessage(),
                        full);
            } catch (StoreException lost) {
                LOG.info(
                        "chunks are made elsewhere; if these are, too, they stay: {}",
                        lost.getMessage());
                if (tries == MAX_TRIES) {
                    throw lost;
                }
            }
        }
    }

    void put(ChunkService chunks, long chunk, byte[] bytes) {
        for (int tries = 1; ; tries++) {
            try {
                chunks.put(chunk, bytes);
                return;
            } catch (ChunkNotFoundException | OutOfChunkMemoryException refused) {
                throw refused;
            } catch (StoreException lost) {
                if (tries == MAX_TRIES) {
                    throw lost;
                }
                chunks.awaitOwner(chunk, OWNER_PATIENCE);
            }
        }
    }

    byte[] get(long chunk) {
        for (int tries = 1; ; tries++) {
            try {
                store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
                return store.chunks().get(chunk);
            } catch (ChunkNotFoundException | DataLostException gone) {
                throw lost(gone);
            } catch (StoreException lost) {
                if (tries == MAX_TRIES) {
                    throw lost;
                }
            }
        }
    }

    private static JobFailedException lost(StoreException gone) {
        return new JobFailedException("a page of a structure is lost: " + gone.getMessage(), gone);
    }

    /**
     * Removes chunks; of what somebody has begun to remove before only what still bears the token,
     * for other ids may have been given to others.
     */
    void remove(List<Span> spans) {
        for (Span span : spans) {
            for (long chunk = span.first(); chunk < span.first() + span.count(); chunk++) {
                remove(chunk, span);
            }
        }
    }

    private void remove(long chunk, Span span) {
        remove(chunk, !span.claimed(), bytes -> bears(bytes, span.token()));
    }

    /**
     * Removes a chunk.
     *
     * @param sure whether it is there, as whatever it was; if not, or when nobody knows whether it
     *     was removed, it is looked at first
     * @param isIt whether bytes are those of the chunk that is meant
     */
    void remove(long chunk, boolean sure, Predicate<byte[]> isIt) {
        boolean known = sure;
        for (int tries = 1; ; tries++) {
            try {
                store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
                if (known || isIt.test(store.chunks().get(chunk))) {
                    store.chunks().remove(chunk);
                }
                return;
            } catch (ChunkNotFoundException | DataLostException done) {
                LOG.debug("nothing is left to remove: {}", done.getMessage());
                return;
            } catch (StoreException lost) {
                known = false;
                if (tries == MAX_TRIES) {
                    throw lost;
                }
            }
        }
    }

    private static boolean bears(byte[] bytes, long token) {
        return bytes.length >= Integer.BYTES + Long.BYTES
                && ByteBuffer.wrap(bytes).getLong(Integer.BYTES) == token;
    }
}
