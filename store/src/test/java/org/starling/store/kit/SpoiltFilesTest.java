package org.starling.store.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** Real processes that are all killed at once, and started again on files that were spoilt. */
@Tag("slow")
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class SpoiltFilesTest {
    private static final int PEERS = 4;
    private static final int CHUNKS_EACH = 60;
    private static final int MOST_BYTES = 128 << 10;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(120);

    /** Until everything is answered, from the moment on in which all nodes run. */
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final long seed = Long.getLong("starling.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir private Path folder;

    /** Values by chunk id; null for a removed one. */
    private final Map<Long, byte @Nullable []> expected = new TreeMap<>();

    /** Somebody's harm to a zone's folder. */
    enum Harm {
        DELETED,
        CUT,
        FLIPPED,
        ZEROED,
        EMPTY_FOLDER,
        NO_FOLDER,
        FILE_FOR_FOLDER,
        FOLDER_FOR_FILE,
        UNREADABLE
    }

    /** What the answers were. */
    private record Answers(int right, int lost, List<String> wrong) {}

    @Test
    void harmToOnePeersFilesIsMadeGoodByTheOthers() throws IOException {
        try (KillCluster cluster = new KillCluster(folder, 1, PEERS)) {
            write(cluster);
            kill(cluster);
            Harm[] harms = Harm.values();
            int next = random.nextInt(harms.length);
            List<Path> zones = zones(folder.resolve("peer-1"));
            assertThat(zones).hasSizeGreaterThanOrEqualTo(PEERS - 1);
            for (Path zone : zones) {
                harm(zone, harms[next++ % harms.length]);
            }
            Files.createDirectories(folder.resolve("peer-1/backups/zones/of somebody else"));

            Answers answers = answersAfterRestart(cluster);

            assertThat(answers.wrong()).as("seed %d", seed).isEmpty();
            assertThat(answers.right()).as("seed %d", seed).isEqualTo(expected.size());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CUT", "DELETED", "FLIPPED"})
    void harmToAllFilesIsSaid(Harm harm) throws IOException {
        try (KillCluster cluster = new KillCluster(folder, 1, PEERS)) {
            write(cluster);
            kill(cluster);
            for (int i = 0; i < PEERS; i++) {
                for (Path zone : zones(folder.resolve("peer-" + i))) {
                    harm(zone, harm);
                }
            }

            Answers answers = answersAfterRestart(cluster);

            assertThat(answers.wrong()).as("seed %d", seed).isEmpty();
            assertThat(answers.right() + answers.lost()).isEqualTo(expected.size());
            assertThat(answers.lost()).as("seed %d", seed).isPositive();
        }
    }

    private void write(KillCluster cluster) {
        try (StoreNode node = connect(cluster)) {
            ChunkService chunks = node.chunks().with(Durability.POWER);
            for (int owner : stores(node)) {
                long first = chunks.createOn(owner, new int[CHUNKS_EACH]);
                for (int i = 0; i < CHUNKS_EACH; i++) {
                    put(chunks, first + i);
                }
            }
            List<Long> ids = new ArrayList<>(expected.keySet());
            for (int i = 0; i < ids.size(); i++) {
                long id = ids.get(random.nextInt(ids.size()));
                if (expected.get(id) != null) {
                    if (random.nextInt(5) == 0) {
                        chunks.remove(id);
                        expected.put(id, null);
                    } else {
                        put(chunks, id);
                    }
                }
            }
        }
    }

    private void put(ChunkService chunks, long id) {
        byte[] value = new byte[1 + random.nextInt(MOST_BYTES)];
        random.nextBytes(value);
        chunks.put(id, value);
        expected.put(id, value);
    }

    private static List<Integer> stores(StoreNode node) {
        long needed = NodeOptions.STORES;
        return node.membership().nodes().stream()
                .filter(each -> (each.capabilities() & needed) == needed)
                .map(NodeInfo::id)
                .toList();
    }

    private static StoreNode connect(KillCluster cluster) {
        long deadline = System.nanoTime() + START_NANOS;
        StoreNode node = cluster.client(deadline);
        while (stores(node).size() < PEERS) {
            assertThat(System.nanoTime()).as("all peers run").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return node;
    }

    private static void kill(KillCluster cluster) {
        cluster.superpeers().forEach(Victim::kill);
        cluster.peers().forEach(Victim::kill);
    }

    private Answers answersAfterRestart(KillCluster cluster) {
        cluster.superpeers().forEach(Victim::restart);
        cluster.peers().forEach(Victim::restart);
        try (StoreNode node = connect(cluster)) {
            long deadline = System.nanoTime() + ANSWER_NANOS;
            int right = 0;
            int lost = 0;
            List<String> wrong = new ArrayList<>();
            for (Map.Entry<Long, byte @Nullable []> each : expected.entrySet()) {
                String answer = answer(node.chunks(), each.getKey(), each.getValue(), deadline);
                switch (answer) {
                    case "right" -> right++;
                    case "lost" -> lost++;
                    default -> wrong.add(Long.toHexString(each.getKey()) + ": " + answer);
                }
            }
            System.out.printf("right %d lost %d wrong %d%n", right, lost, wrong.size());
            return new Answers(right, lost, wrong);
        }
    }

    private static String answer(
            ChunkService chunks, long id, byte @Nullable [] value, long deadlineNanos) {
        while (true) {
            try {
                byte[] now = chunks.get(id);
                if (value == null) {
                    return "is back";
                }
                return Arrays.equals(now, value) ? "right" : "another value";
            } catch (ChunkNotFoundException e) {
                return value == null ? "right" : "not found";
            } catch (StoreException e) {
                // Zones are lost as well until those who have them have come back.
                if (System.nanoTime() > deadlineNanos) {
                    return e instanceof DataLostException ? "lost" : String.valueOf(e.getMessage());
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    // harm

    private static List<Path> zones(Path peer) throws IOException {
        try (Stream<Path> zones = Files.list(peer.resolve("backups/zones"))) {
            return zones.sorted().toList();
        }
    }

    private static List<Path> files(Path zone) throws IOException {
        try (Stream<Path> files = Files.list(zone)) {
            return files.toList();
        }
    }

    private void harm(Path zone, Harm harm) throws IOException {
        List<Path> files = files(zone);
        switch (harm) {
            case CUT -> {
                for (Path file : files) {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.truncate(channel.size() / 2);
                    }
                }
            }
            case FLIPPED -> {
                for (Path file : files) {
                    flip(file);
                }
            }
            case ZEROED -> {
                for (Path file : files) {
                    Files.write(file, new byte[Math.toIntExact(Files.size(file))]);
                }
            }
            case UNREADABLE -> {
                files.forEach(file -> setPermissions(file, Set.of()));
                setPermissions(zone, Set.of());
            }
            default -> {
                for (Path file : files) {
                    Files.delete(file);
                }
                remake(zone, harm, files);
            }
        }
    }

    private static void remake(Path zone, Harm harm, List<Path> files) throws IOException {
        switch (harm) {
            case NO_FOLDER -> Files.delete(zone);
            case FILE_FOR_FOLDER -> {
                Files.delete(zone);
                Files.writeString(zone, "not a folder");
            }
            case FOLDER_FOR_FILE -> {
                for (Path file : files) {
                    Files.createDirectories(file.resolve("not a file"));
                }
            }
            default -> {}
        }
    }

    private static void setPermissions(Path path, Set<PosixFilePermission> permissions) {
        try {
            Files.setPosixFilePermissions(path, permissions);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void flip(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 8; i++) {
                long at = random.nextLong(channel.size());
                ByteBuffer one = ByteBuffer.allocate(1);
                channel.read(one, at);
                one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8))).rewind();
                channel.write(one, at);
            }
        }
    }
}
