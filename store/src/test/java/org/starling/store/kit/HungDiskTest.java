package org.starling.store.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;

/**
 * A real peer whose disk takes very long for each force: {@code strace} holds the calls back.
 * Skipped where there is none, or where it may not attach.
 */
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class HungDiskTest {
    private static final int PEERS = 5;

    /** A peer keeps no copies any more at the latest after the patience and a look at it. */
    private static final Duration BOUND = Duration.ofSeconds(7);

    @TempDir private Path folder;

    @Test
    void doesWithoutAPeerWhoseForcesDoNotReturnAndTakesItBackLater() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        try (KillCluster cluster = new KillCluster(folder, 1, PEERS);
                StoreNode client = cluster.client(deadline)) {
            await(() -> isUp(cluster, client), Duration.ofMinutes(1), "all peers are members");
            ChunkService chunks = client.chunks().with(Durability.POWER);
            long id = chunks.createOn(peers(client).getFirst().id(), new int[] {8});
            chunks.put(id, new byte[] {1});
            Victim hung = backupOf(cluster, chunks.owner(id), client);

            Process strace = holdForcesBack(hung);
            long begun = System.nanoTime();
            try {
                long longestNanos = 0;
                while (hanging(client) == 0) {
                    long put = System.nanoTime();
                    chunks.put(id, new byte[] {2});
                    longestNanos = Math.max(longestNanos, System.nanoTime() - put);
                    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
                }
                assertThat(Duration.ofNanos(longestNanos)).isLessThan(BOUND);
                await(
                        () -> client.status().underReplicated() == 0,
                        Duration.ofSeconds(10),
                        "its zones are kept elsewhere");
                assertThat(Files.readString(hung.logFile()))
                        .contains("the disk hangs: a force of")
                        .contains("keeps no copies for others, because its disk hangs");
            } finally {
                strace.destroy();
                assertThat(strace.waitFor(20, TimeUnit.SECONDS)).isTrue();
            }

            await(() -> hanging(client) == 0, Duration.ofSeconds(60), "the disk answers again");
            chunks.put(id, new byte[] {3});
            assertThat(chunks.get(id)).containsExactly(3);
        }
    }

    /** Starts those again that a busy machine did not let join in time. */
    private static boolean isUp(KillCluster cluster, StoreNode client) {
        cluster.peers().stream().filter(peer -> !peer.isAlive()).forEach(Victim::restart);
        return peers(client).size() == PEERS;
    }

    /** A peer with a log of the chunk's zone that is not its owner. */
    private static Victim backupOf(KillCluster cluster, int owner, StoreNode client) {
        List<NodeInfo> peers = peers(client);
        for (int i = 0; i < peers.size(); i++) {
            if (peers.get(i).id() != owner) {
                for (Victim victim : cluster.peers()) {
                    if (victim.says("ready " + peers.get(i).id()) && victim.keepsLogs()) {
                        return victim;
                    }
                }
            }
        }
        throw new IllegalStateException("nobody backs the chunk up");
    }

    private static Process holdForcesBack(Victim victim) throws IOException {
        Process strace;
        try {
            strace =
                    new ProcessBuilder(
                                    "strace",
                                    "-f",
                                    "-qq",
                                    "-e",
                                    "trace=fsync,fdatasync",
                                    "-e",
                                    "inject=fsync,fdatasync:delay_enter=30s",
                                    "-o",
                                    "/dev/null",
                                    "-p",
                                    Long.toString(victim.pid()))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException e) {
            assumeTrue(false, "strace is not installed: " + e.getMessage());
            throw e;
        }
        await(
                () -> isTraced(victim) || !strace.isAlive(),
                Duration.ofSeconds(10),
                "strace is attached");
        assumeTrue(strace.isAlive(), "strace may not attach to processes here");
        return strace;
    }

    private static boolean isTraced(Victim victim) {
        try (var tasks = Files.list(Path.of("/proc/" + victim.pid() + "/task"))) {
            return tasks.allMatch(HungDiskTest::isTraced);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean isTraced(Path task) {
        try {
            return Files.readAllLines(task.resolve("status")).stream()
                    .anyMatch(
                            line -> line.startsWith("TracerPid:") && !line.strip().endsWith("\t0"));
        } catch (IOException e) {
            return true; // a thread that has just ended
        }
    }

    private static List<NodeInfo> peers(StoreNode client) {
        return client.membership().nodes().stream()
                .filter(node -> (node.capabilities() & org.starling.store.NodeOptions.STORES) != 0)
                .toList();
    }

    private static long hanging(StoreNode client) {
        return client.membership().nodes().stream().filter(NodeInfo::diskHangs).count();
    }

    private static void await(BooleanSupplier condition, Duration patience, String what) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }
}
