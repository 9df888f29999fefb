package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.Endless;
import org.starling.compute.JobListener;
import org.starling.compute.LeastId;
import org.starling.compute.TestEdges;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.jars.JarRules;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** Chunks and native memory after graphs are dropped, and after builds and runs that failed. */
final class LeftoversTest {
    private static final int PEERS = 2;

    @TempDir Path folder;

    private final List<StoreNode> peers = new ArrayList<>();
    private final List<SlaveService> slaves = new ArrayList<>();
    private final Map<Integer, Long> free = new ConcurrentHashMap<>();
    private long before;
    private StoreNode superpeer;
    private MasterSession session;

    @BeforeEach
    void open() {
        before = NativeMemory.reservedBytes();
        LoopbackHub hub = new LoopbackHub();
        StoreConfig config = StoreConfig.defaults().withHeapBytes(32 << 20);
        superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, config));
        int[] nodes = new int[PEERS];
        for (int i = 0; i < PEERS; i++) {
            StoreNode peer = StoreNode.startPeer(NodeOptions.loopback(hub, config));
            peers.add(peer);
            slaves.add(
                    new SlaveService(
                            peer,
                            2,
                            null,
                            () -> free.get(peer.nodeId()),
                            new JarLoaders(JarRules.DEFAULT, new JarStore(peer)::fetch),
                            () -> BroughtFiles.HERE));
            free.put(peer.nodeId(), 64L << 20);
            nodes[i] = peer.nodeId();
        }
        java.util.Arrays.sort(nodes);
        session = new MasterSession(superpeer, nodes, PEERS * config.heapBytes());
        session.begin(JobListener.SILENT);
    }

    @AfterEach
    void close() {
        slaves.forEach(SlaveService::close);
        peers.forEach(StoreNode::close);
        superpeer.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    private long chunks() {
        return peers.stream().mapToLong(peer -> peer.chunks().statistics().chunks()).sum();
    }

    private static TestEdges edges() {
        TestEdges edges = TestEdges.sparse().parts(4);
        for (long i = 0; i < 3_000; i++) {
            edges.edge(i * 7 % 1_000, i * i % 1_009);
        }
        return edges;
    }

    @Test
    void leavesNothingOfARunThatAPeerHasNoMemoryFor() {
        session.build("g", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
        long reserved = NativeMemory.reservedBytes();
        int poor = peers.getLast().nodeId();
        free.put(poor, 0L);

        assertThatThrownBy(() -> session.run("g", LeastId.NAME, Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageMatching(
                        "program .* needs up to 1 MiB of memory on nodes [0-9]+, "
                                + poor
                                + " for its columns and messages on graph \"g\", but 0 MiB are available there;"
                                + " free memory on that machine, .*");
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reserved);

        free.put(poor, 64L << 20);
        assertThat(session.run("g", LeastId.NAME, Parameters.NONE).supersteps()).isPositive();
    }

    @Test
    void dropsAllOfAGraph() {
        session.build("first", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
        session.drop("first");
        long chunks = chunks();
        long reserved = NativeMemory.reservedBytes();
        for (boolean directed : new boolean[] {true, false}) {
            session.build("g", TestEdges.NAME, edges().named(), new BuildOptions(directed, true));
            assertThat(chunks()).isGreaterThan(chunks + 1_000);
            session.drop("g");
            assertThat(chunks()).isEqualTo(chunks);
        }

        assertThat(chunks).isZero();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reserved);
        assertThat(session.graphs()).isEmpty();
    }

    @Test
    void leavesNothingOfABuildThatFails() {
        TestEdges failing =
                edges().beforeEnd(() -> {
                    throw new InvalidInputException("a bad line");
                });
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() ->
                            session.build(
                                    "g", TestEdges.NAME, failing.named(), BuildOptions.DIRECTED))
                    .isInstanceOf(InvalidInputException.class);
            assertThat(chunks()).isZero();
            assertThat(session.graphs()).isEmpty();
        }
        String longName = "n".repeat(300); // is in no name of the directory
        session.build(longName, TestEdges.NAME, edges().named(), BuildOptions.DIRECTED);
        session.drop(longName);
        assertThat(chunks()).isZero();
    }

    @Test
    void keepsMemoryOfRunsFromGrowing() {
        session.build("g", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
        RunOptions short_ = new RunOptions(2, java.util.Map.of());
        runBoth(short_);
        long reserved = NativeMemory.reservedBytes();
        for (int attempt = 0; attempt < 5; attempt++) {
            runBoth(short_);
        }

        assertThat(NativeMemory.reservedBytes()).isEqualTo(reserved);
        session.drop("g");
    }

    @Test
    void removesTheDraftsOfAStateThatAnOlderMasterLeft() throws IOException {
        session.build("g", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
        session.run("g", LeastId.NAME, Parameters.NONE);
        Path file = folder.resolve("least.txt");
        Files.writeString(OutputParts.whole(file, 0), "1 1\n2");

        session.write("g", "least", file);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
        session.drop("g");
    }

    @Test
    void leavesNothingOfAStateThatCouldNotBeWritten() throws IOException {
        session.build("g", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
        session.run("g", LeastId.NAME, Parameters.NONE);
        Path taken = Files.createDirectory(folder.resolve("taken.txt"));
        Files.createDirectory(taken.resolve("full"));

        assertThatThrownBy(() -> session.write("g", "least", taken))
                .isInstanceOf(InvalidInputException.class);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(taken);
        }
        session.drop("g");
    }

    private void runBoth(RunOptions few) {
        session.run("g", LeastId.NAME, Parameters.NONE);
        assertThatThrownBy(() -> session.run("g", Endless.NAME, Parameters.NONE, few))
                .hasMessageContaining("2 supersteps");
    }
}
