package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.graph.BuildOptions;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** Graphs that come and go leave nothing behind: in the directory, on disks, in memory. */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class GraphChurnTest {
    private static final int PEERS = 4;
    private static final int ROUNDS = Integer.getInteger("starling.graphRounds", 1000);
    private static final long ZONE_BYTES = 64 << 10;

    /** At most one zone that is being filled and the next at each peer, each on three disks. */
    private static final long MOST_DISK_BYTES = PEERS * 2 * 3 * ZONE_BYTES;

    private static final double MARGIN = 1.1;

    /** Zones are dropped 2 s after their last chunk, and looked for every 10 s. */
    private static final long REST_SECONDS = 60;

    @TempDir Path folder;

    private final List<StoreNode> peers = new ArrayList<>();
    private final List<SlaveService> slaves = new ArrayList<>();

    /** What there is while no graph is kept. */
    private record Rest(int zones, long reservedBytes, long residentBytes) {}

    @Test
    void leavesNothingOfGraphsThatWereLoadedAndDropped() {
        LoopbackHub hub = new LoopbackHub();
        StoreConfig config =
                StoreConfig.defaults()
                        .withHeapBytes(64 << 20)
                        .withZoneBytes(ZONE_BYTES)
                        .withRequestTimeout(Duration.ofSeconds(1));
        try (StoreNode superpeer =
                StoreNode.startSuperpeer(
                        NodeOptions.loopback(hub, config)
                                .withDataDirectory(folder.resolve("superpeer")))) {
            int[] nodes = new int[PEERS];
            for (int i = 0; i < PEERS; i++) {
                StoreNode peer =
                        StoreNode.startPeer(
                                NodeOptions.loopback(hub, config)
                                        .withDataDirectory(folder.resolve("peer" + i))
                                        .withCapabilities(
                                                NodeOptions.COMPUTES | NodeOptions.STORES));
                peers.add(peer);
                slaves.add(new SlaveService(peer, 2, null));
                nodes[i] = peer.nodeId();
            }
            MasterSession session = new MasterSession(superpeer, nodes, PEERS * config.heapBytes());
            session.begin(JobListener.SILENT);

            Rest first = round(superpeer, session, 1);
            Rest last = round(superpeer, session, ROUNDS - 1);

            assertThat(last.zones).isLessThanOrEqualTo(2 * PEERS);
            assertThat((double) last.reservedBytes).isLessThan(MARGIN * first.reservedBytes);
            assertThat(last.residentBytes).isLessThan(2 * first.residentBytes);
            assertThat(superpeer.names().list()).isEmpty();
        } finally {
            slaves.forEach(SlaveService::close);
            peers.forEach(StoreNode::crash);
        }
    }

    private Rest round(StoreNode superpeer, MasterSession session, int graphs) {
        TestEdges edges = TestEdges.sparse().parts(4);
        for (long i = 0; i < 20_000; i++) {
            edges.edge(i * 7 % 1_000, i * i % 1_009);
        }
        for (int i = 0; i < graphs; i++) {
            session.build("g", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            session.drop("g");
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
        while (superpeer.status().zones() > 2 * PEERS || diskBytes() > MOST_DISK_BYTES) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        System.gc();
        return new Rest(superpeer.status().zones(), NativeMemory.reservedBytes(), resident());
    }

    /** Of the logs of all peers. */
    private long diskBytes() {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.toString().contains("zones"))
                    .map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        } catch (UncheckedIOException | IOException e) {
            return Long.MAX_VALUE; // something is being deleted; asked again
        }
    }

    private static long resident() {
        try {
            String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 3)[1];
            return Long.parseLong(pages) * NativeMemory.PAGE_BYTES;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
