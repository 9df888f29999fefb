package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;

/**
 * Everything stops at once, somebody spoils the files of all copies, everything starts again: a
 * chunk is what it was, or DATA LOST, but never older, absent or back.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpoiltDisksTest {
    private static final int PEERS = 5;
    private static final long SEED = Long.getLong("starling.seed", 20_261_124L);

    @TempDir Path root;

    /** What is known of the chunks: their values, null for those that were removed. */
    private final Map<Long, byte @Nullable []> expected = new TreeMap<>();

    private final Random random = new Random(SEED);

    /** What came of reading all chunks. */
    private record Answers(int right, int lost, List<String> wrong) {}

    @Tag("slow")
    @Test
    void logsCutToHalfAreLostLoudly() throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, StoredCluster.config())) {
            write(cluster);
            cluster.crashAll();
            for (Path log : logs()) {
                cut(log, Files.size(log) / 2);
            }
            cluster.startAll();

            Answers answers = readAll(cluster);

            assertThat(answers.wrong()).isEmpty();
            assertThat(answers.lost()).isEqualTo(expected.size());
            StoredCluster.await(() -> cluster.peer(0).status().lost() > 0, "the loss is told");
        }
    }

    @Test
    void logsThatAreAllDeletedAreLostLoudly() throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, StoredCluster.config())) {
            write(cluster);
            cluster.crashAll();
            for (Path log : logs()) {
                Files.delete(log);
            }
            cluster.startAll();

            Answers answers = readAll(cluster);

            assertThat(answers.wrong()).isEmpty();
            assertThat(answers.lost()).isEqualTo(expected.size());
        }
    }

    @Tag("slow")
    @Test
    void zoneFoldersThatAreAllDeletedAreLostLoudly() throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, StoredCluster.config())) {
            write(cluster);
            cluster.crashAll();
            List<Path> logs = logs();
            for (Path log : logs) {
                Files.delete(log);
            }
            for (Path log : logs) {
                Files.deleteIfExists(log.getParent());
            }
            cluster.startAll();

            Answers answers = readAll(cluster);

            assertThat(answers.wrong()).isEmpty();
            assertThat(answers.lost()).isEqualTo(expected.size());
        }
    }

    @Test
    void bitsFlippedEverywhereMakeNoChunkAbsentOrOlderNorDoesALaterOwner() throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, StoredCluster.config())) {
            write(cluster);
            cluster.crashAll();
            for (Path log : logs()) {
                for (int i = 0; i < 3; i++) {
                    flip(log);
                }
            }
            cluster.startAll();
            Answers first = readAll(cluster);
            assertThat(first.wrong()).isEmpty();
            assertThat(first.lost()).isPositive();

            StoredCluster.await(
                    () -> cluster.peer(0).status().underReplicated() == 0,
                    "what is not lost is replicated");
            cluster.crashPeer(1);
            cluster.crashPeer(2);
            cluster.awaitMembers(PEERS - 1);
            Answers second = readAll(cluster);

            assertThat(second.wrong()).isEmpty();
            assertThat(second.lost()).isEqualTo(first.lost());
        }
    }

    @Tag("slow")
    @Test
    void tailsThatWereOnlyForPowerAreNotMissedWhenAllAreIntact() throws IOException {
        try (StoredCluster cluster = new StoredCluster(root, 1, PEERS, StoredCluster.config())) {
            write(cluster);
            cluster.crashAll();
            cluster.startAll();

            Answers answers = readAll(cluster);

            assertThat(answers.wrong()).isEmpty();
            assertThat(answers.lost()).isZero();
        }
    }

    /** ChunkService that are made, changed and removed, some now and some later. */
    private void write(StoredCluster cluster) {
        List<Long> ids = new ArrayList<>();
        for (int peer = 0; peer < PEERS; peer++) {
            ChunkService store = cluster.peer(peer).chunks().with(Durability.POWER);
            for (int i = 0; i < 20; i++) {
                byte[] value = value();
                long id = store.create(value.length);
                store.put(id, value);
                ids.add(id);
                expected.put(id, value);
                change(store, ids.get(random.nextInt(ids.size())));
            }
        }
    }

    private void change(ChunkService store, long id) {
        if (expected.get(id) == null) {
            return;
        }
        if (random.nextInt(3) == 0) {
            store.remove(id);
            expected.put(id, null);
        } else {
            byte[] value = value();
            store.put(id, value);
            expected.put(id, value);
        }
    }

    private byte[] value() {
        byte[] value = new byte[1 + random.nextInt(2000)];
        random.nextBytes(value);
        return value;
    }

    private Answers readAll(StoredCluster cluster) {
        ChunkService store = cluster.peer(0).chunks();
        Map<String, Integer> counts = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        expected.forEach((id, value) -> {
            String answer = read(store, id, value);
            counts.merge(answer, 1, Integer::sum);
            if (!answer.equals("right") && !answer.equals("lost")) {
                wrong.add(Long.toHexString(id) + ": " + answer);
            }
        });
        return new Answers(counts.getOrDefault("right", 0), counts.getOrDefault("lost", 0), wrong);
    }

    private static String read(ChunkService store, long id, byte @Nullable [] value) {
        try {
            byte[] now = store.get(id);
            return java.util.Arrays.equals(now, value)
                    ? "right"
                    : value == null ? "is back" : "another value of " + now.length + " bytes";
        } catch (ChunkNotFoundException e) {
            return value == null ? "right" : "not found";
        } catch (DataLostException e) {
            return "lost";
        } catch (org.starling.store.StoreException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> logs =
                    files.filter(path -> path.getFileName().toString().endsWith(".log"))
                            .filter(path -> path.toString().contains("zones"))
                            .toList();
            assertThat(logs).hasSizeGreaterThan(PEERS);
            return logs;
        }
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    private void flip(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = random.nextLong(channel.size());
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8))).rewind();
            channel.write(one, at);
        }
    }
}
