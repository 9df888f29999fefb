package org.starling.compute.internal.jars;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.UserJar;
import org.starling.compute.script.RecordJson;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.OwnerLostException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Jars of users in the store: under the name {@code jar/DIGEST} a chunk with a {@link JarIndex},
 * and the bytes in pieces. They are written with all the durability that the cluster can give, so
 * they outlive losses and restarts as graphs do. Any thread but receiving ones; the same jar is put
 * by one of them at a time.
 *
 * <p>A jar that is not complete is not there. What an upload that was cut short has left is removed
 * by the next one of the same jar.
 */
public final class JarStore {
    private static final Logger LOG = LogManager.getLogger(JarStore.class);
    private static final String PREFIX = "jar/";

    /** How long a jar's chunks may be without an owner: their peer is lost and being recovered. */
    private static final Duration OWNER_PATIENCE = Duration.ofSeconds(60);

    /** Owners of a piece that may be lost one after the other while it is read. */
    private static final int MAX_READS = 4;

    /** Peers that may be lost one after the other while a jar is written. */
    private static final int MAX_WRITES = 3;

    private final StoreNode store;

    /**
     * A jar that is there.
     *
     * @param digest its digest
     * @param name what messages call it
     * @param bytes its length
     * @param providers names of the classes that its service files name
     */
    public record Kept(String digest, String name, long bytes, List<String> providers) {
        private static Kept of(JarIndex index) {
            return new Kept(index.digest(), index.name(), index.bytes(), index.providers());
        }
    }

    /** The jars of a node's cluster. */
    public JarStore(StoreNode store) {
        this.store = store;
    }

    /** All jars that are there, by digest. */
    public List<Kept> list() {
        return store.names().list().entrySet().stream()
                .filter(name -> name.getKey().startsWith(PREFIX))
                .flatMap(name -> read(name.getValue()).stream())
                .filter(JarIndex::complete)
                .map(Kept::of)
                .toList();
    }

    /** A jar; empty if it is not there, or not all of it. */
    public Optional<Kept> find(String digest) {
        return index(digest).filter(index -> index.complete() && hasAllPieces(index)).map(Kept::of);
    }

    /**
     * Puts a jar, unless it is there.
     *
     * @throws InvalidInputException if there are too many
     */
    public void put(JarContents contents) {
        UserJar jar = contents.jar();
        if (find(jar.digest()).isPresent()) {
            return;
        }
        remove(jar.digest(), () -> {});
        long kept =
                store.names().list().keySet().stream().filter(n -> n.startsWith(PREFIX)).count();
        if (kept >= JarRules.MAX_JARS_KEPT) {
            throw new InvalidInputException(
                    "the cluster keeps %d jars already; remove some with \"starling jars remove DIGEST\""
                            .formatted(kept));
        }
        JarIndex index =
                new JarIndex(
                        jar.digest(), jar.name(), jar.bytes(), 0, false, contents.providerNames());
        for (int writes = 1; ; writes++) {
            try {
                write(index, jar.file(), writes);
                return;
            } catch (StoreException | IOException failed) {
                LOG.info("jar {} could not be written: {}", jar.digest(), failed.getMessage());
                removeQuietly(jar.digest());
                if (failed instanceof IOException unreadable) {
                    throw FileTrouble.refusal(jar.file(), "read", unreadable);
                }
                if (writes == MAX_WRITES) {
                    throw (StoreException) failed;
                }
            }
        }
    }

    /**
     * Removes a jar, or what is there of it.
     *
     * @param lastLook throws if it must stay; called when nobody finds it any more
     * @return false if there was nothing
     */
    public boolean remove(String digest, Runnable lastLook) {
        long chunk = store.names().lookup(PREFIX + digest);
        if (chunk == ChunkId.NONE || !store.names().remove(PREFIX + digest)) {
            return false; // of many only the one who takes the name removes chunks
        }
        try {
            lastLook.run();
        } catch (RuntimeException needed) {
            store.names().register(PREFIX + digest, chunk);
            throw needed;
        }
        Optional<JarIndex> index = read(chunk);
        if (index.isPresent() && index.get().firstPiece() != 0) {
            removePieces(index.get());
        }
        try {
            store.chunks().remove(chunk);
        } catch (ChunkNotFoundException gone) {
            LOG.debug("jar {} was a name alone", digest);
        }
        return true;
    }

    /**
     * Fetches a jar into a folder.
     *
     * @throws InvalidInputException if it is not there any more
     */
    public UserJar fetch(String digest, Path folder) {
        JarIndex index = index(digest).filter(JarIndex::complete).orElseThrow(() -> noJar(digest));
        Path file = folder.resolve(digest + ".jar");
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                for (int i = 0; i < index.pieces().length; i++) {
                    out.write(piece(index.firstPiece() + i, digest));
                }
            }
            if (!JarInspection.digest(file).equals(digest)) {
                throw new StoreException("the store holds other bytes as jar " + digest);
            }
        } catch (IOException full) {
            throw FileTrouble.refusal(file, "written", full);
        }
        return new UserJar(digest, index.name(), index.bytes(), file);
    }

    /** What is wrong where there is no such jar. */
    public static InvalidInputException noJar(String digest) {
        return new InvalidInputException(
                "the cluster has no jar %s; submit the script with --jar and its file"
                        .formatted(digest));
    }

    private byte[] piece(long chunk, String digest) {
        for (int reads = 1; ; reads++) {
            try {
                store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
                return store.chunks().get(chunk);
            } catch (OwnerLostException lost) {
                if (reads == MAX_READS) {
                    throw lost;
                }
            } catch (ChunkNotFoundException | DataLostException gone) {
                throw new InvalidInputException(
                        "%s: its bytes are lost".formatted(noJar(digest).getMessage()), gone);
            }
        }
    }

    /** The name first, then the chunks: what is there after a fall can be found by the name. */
    private void write(JarIndex index, Path file, int writes) throws IOException {
        ChunkService chunks = store.chunks().with(store.promised());
        int peer = peer(index.digest(), writes);
        byte[] begun = RecordJson.PLAIN.bytes(index);
        long chunk = chunks.createOn(peer, new int[] {begun.length});
        store.names().register(PREFIX + index.digest(), chunk);
        int[] sizes = index.pieces();
        JarIndex placed = index.at(chunks.createOn(peer, sizes));
        chunks.put(chunk, RecordJson.PLAIN.bytes(placed));
        try (InputStream in = Files.newInputStream(file)) {
            for (int i = 0; i < sizes.length; i++) {
                byte[] piece = in.readNBytes(sizes[i]);
                if (piece.length != sizes[i]) {
                    throw new IOException("it has become shorter");
                }
                chunks.put(placed.firstPiece() + i, piece);
            }
        }
        chunks.put(chunk, RecordJson.PLAIN.bytes(placed.completed()));
    }

    /** Jars are spread over the peers by their digests. */
    private int peer(String digest, int writes) {
        int[] peers = store.membership().keepers("a jar");
        return peers[Math.floorMod(digest.hashCode() + writes, peers.length)];
    }

    private Optional<JarIndex> index(String digest) {
        long chunk = store.names().lookup(PREFIX + digest);
        return chunk == ChunkId.NONE ? Optional.empty() : read(chunk);
    }

    private Optional<JarIndex> read(long chunk) {
        try {
            store.chunks().awaitOwner(chunk, OWNER_PATIENCE);
            // zeros of a chunk that nothing was put into yet are none
            return RecordJson.PLAIN.ofBytes(JarIndex.class, store.chunks().get(chunk));
        } catch (ChunkNotFoundException | DataLostException gone) {
            LOG.warn("the index of a jar is lost: {}", gone.getMessage());
            return Optional.empty();
        }
    }

    private boolean hasAllPieces(JarIndex index) {
        long first = index.firstPiece();
        try {
            store.chunks().awaitOwner(first, OWNER_PATIENCE);
            return LongStream.range(first, first + index.pieces().length)
                    .allMatch(store.chunks()::exists);
        } catch (ChunkNotFoundException | DataLostException gone) {
            LOG.warn("the bytes of a jar are lost: {}", gone.getMessage());
            return false;
        }
    }

    private void removePieces(JarIndex index) {
        try {
            if (store.chunks().awaitOwner(index.firstPiece(), OWNER_PATIENCE) >= 0) {
                store.chunks().removeRange(index.firstPiece(), index.pieces().length);
            }
        } catch (ChunkNotFoundException gone) {
            LOG.debug("nothing is left of the bytes of a jar: {}", gone.getMessage());
        }
    }

    /** What can't be removed now is by the next upload. */
    private void removeQuietly(String digest) {
        try {
            remove(digest, () -> {});
        } catch (StoreException down) {
            LOG.info("jar {} is removed later: {}", digest, down.getMessage());
        }
    }
}
