package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.UnservedException;

/** A zone of peer 0, of whose copies some are damaged and others gone, or late. */
@Timeout(90)
final class DamagedCopiesTest {
    private static final int CHUNKS = 5;
    private static final int BYTES = 64;

    /** The chunk whose value is damaged. */
    private static final int DAMAGED = 1;

    @TempDir Path root;
    private final List<Long> ids = new ArrayList<>();

    @Tag("thorough")
    @Test
    void comeBackWithoutANodeThatIsGoneForGood() throws Exception {
        try (StoredCluster cluster = cluster(2)) {
            int gone = cluster.peer(2).nodeId();
            cluster.crashAll();
            damage(1);
            start(cluster, 0, 1);
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            assertThat(cluster.superpeer(0).status().orphaned()).as("2 may have all").isOne();
            ChunkService store = cluster.peer(0).chunks();
            assertThatThrownBy(() -> store.get(ids.get(0))).isInstanceOf(UnservedException.class);

            cluster.superpeer(0).forget(gone, true);

            awaitBack(cluster);
            assertThat(read(cluster, 0)).isEqualTo(allBehindTheDamage());
        }
    }

    @Test
    void comeBackThoughOneHasNoLogWhereNobodyIsMissing() throws Exception {
        try (StoredCluster cluster = cluster(3)) {
            cluster.crashAll();
            damage(1);
            damage(2);
            for (Path log : logs(3)) {
                Files.delete(log);
            }

            start(cluster, 0, 1, 2, 3);

            awaitBack(cluster);
            assertThat(read(cluster, 0)).isEqualTo(allBehindTheDamage());
        }
    }

    @Test
    void areReplacedByTheOneOfANodeThatIsThereAndNotListed() throws Exception {
        try (StoredCluster cluster = cluster(2)) {
            damage(1);
            cluster.crashPeer(0);
            cluster.crashPeer(2);
            cluster.startPeer(2);

            awaitLost(cluster, 3);
            awaitBack(cluster);
            assertThat(read(cluster, 2)).isEqualTo(all());
        }
    }

    @Test
    void areReplacedByTheOneOfANodeThatComesBackLate() throws Exception {
        try (StoredCluster cluster = cluster(2)) {
            damage(1);
            cluster.crashPeer(0);
            cluster.crashPeer(2);
            awaitLost(cluster, 2);
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            assertThat(cluster.superpeer(0).status().orphaned()).isOne();

            cluster.startPeer(2);

            awaitBack(cluster);
            assertThat(read(cluster, 2)).isEqualTo(all());
        }
    }

    @Test
    void areReplacedByTheOneOfANodeThatCouldNotOpenItsOwnForAWhile() throws Exception {
        try (StoredCluster cluster = cluster(2)) {
            damage(1);
            cluster.crashPeer(0);
            cluster.crashPeer(2);
            List<Path> logs = makeUnreadable(2);
            cluster.startPeer(2);
            awaitLost(cluster, 3);
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            assertThat(cluster.superpeer(0).status().orphaned()).isOne();

            makeReadable(logs);

            awaitBack(cluster);
            assertThat(read(cluster, 2)).isEqualTo(all());
        }
    }

    /** And none is deleted meanwhile. */
    @Test
    void comeBackThoughNoDiskCouldOpenItsLogsForAWhile() throws Exception {
        try (StoredCluster cluster = cluster(2)) {
            cluster.crashAll();
            List<Path> logs = makeUnreadable(1);
            logs.addAll(makeUnreadable(2));
            start(cluster, 0, 1, 2);
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            assertThat(cluster.superpeer(0).isGoneForGood(ids.get(0))).isFalse();

            makeReadable(logs);

            awaitBack(cluster);
            assertThat(read(cluster, 0)).isEqualTo(all());
        }
    }

    /**
     * Puts folders where the logs of a peer are, as a disk in trouble would refuse to open them.
     */
    private List<Path> makeUnreadable(int peer) throws IOException {
        List<Path> logs = new ArrayList<>(logs(peer));
        for (Path log : logs) {
            Files.move(log, aside(log));
            Files.createDirectory(log);
        }
        return logs;
    }

    private static void makeReadable(List<Path> logs) throws IOException {
        for (Path log : logs) {
            Files.delete(log);
            Files.move(aside(log), log);
        }
    }

    private static Path aside(Path log) {
        return log.resolveSibling("aside");
    }

    /** One superpeer, and one peer more than a zone has backups; what was written is on disk. */
    private StoredCluster cluster(int backups) {
        StoreConfig config =
                StoredCluster.config()
                        .withRequestTimeout(Duration.ofSeconds(3))
                        .withReplicationFactor(backups);
        StoredCluster cluster = new StoredCluster(root, 1, backups + 1, config);
        ChunkService store = cluster.peer(0).chunks().with(Durability.POWER);
        for (int i = 0; i < CHUNKS; i++) {
            long id = store.create(BYTES);
            store.put(id, value(i));
            ids.add(id);
        }
        return cluster;
    }

    private static byte[] value(int index) {
        byte[] value = new byte[BYTES];
        Arrays.fill(value, (byte) ('A' + index));
        return value;
    }

    /** Changes a byte wherever a log has the value. */
    private void damage(int peer) throws IOException {
        byte[] value = value(DAMAGED);
        int found = 0;
        for (Path log : logs(peer)) {
            byte[] bytes = Files.readAllBytes(log);
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
                for (int at = 0; at + BYTES <= bytes.length; at++) {
                    if (Arrays.equals(bytes, at, at + BYTES, value, 0, BYTES)) {
                        file.seek(at);
                        file.write(0);
                        found++;
                    }
                }
            }
        }
        assertThat(found).isPositive();
    }

    private List<Path> logs(int peer) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("peer" + peer))) {
            return files.filter(file -> file.toString().matches(".*/zones/.*\\.log")).toList();
        }
    }

    private static void start(StoredCluster cluster, int... peers) {
        cluster.startSuperpeer(0);
        for (int peer : peers) {
            cluster.startPeer(peer);
        }
        cluster.awaitMembers(1 + peers.length);
    }

    private static void awaitLost(StoredCluster cluster, int left) {
        StoredCluster.await(
                () -> cluster.superpeer(0).status().nodes().size() == left, "some are lost");
    }

    private static void awaitBack(StoredCluster cluster) {
        StoredCluster.await(
                () -> cluster.superpeer(0).status().orphaned() == 0, "the zone is back");
    }

    /** What each chunk is read as: the letter of its value, or the name of what was thrown. */
    private List<String> read(StoredCluster cluster, int peer) {
        ChunkService store = cluster.peer(peer).chunks();
        return ids.stream()
                .map(id -> {
                    try {
                        return Character.toString(store.get(id)[0]);
                    } catch (StoreException none) {
                        return none.getClass().getSimpleName();
                    }
                })
                .toList();
    }

    private static List<String> all() {
        return IntStream.range(0, CHUNKS).mapToObj(i -> Character.toString('A' + i)).toList();
    }

    /** What was damaged may have changed any that were written before. */
    private static List<String> allBehindTheDamage() {
        List<String> all = new ArrayList<>(all());
        Collections.fill(all.subList(0, DAMAGED + 1), DataLostException.class.getSimpleName());
        return all;
    }
}
