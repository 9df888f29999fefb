package org.starling.compute.internal.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.graph.InvalidInputException;
import org.starling.net.LoopbackHub;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;

/** The catalogue's value, changed by several nodes at once and by nodes that die in the middle. */
@Timeout(60)
final class CatalogueChunkTest {
    private static final int NAMES = 20;
    private static final int NOBODY = 60_000;

    private final List<StoreNode> nodes = new ArrayList<>();

    @BeforeEach
    void open() {
        LoopbackHub hub = new LoopbackHub();
        StoreConfig config = StoreConfig.defaults().withHeapBytes(16 << 20);
        nodes.add(StoreNode.startSuperpeer(NodeOptions.loopback(hub, config)));
        nodes.add(StoreNode.startPeer(NodeOptions.loopback(hub, config)));
        nodes.add(StoreNode.startPeer(NodeOptions.loopback(hub, config)));
    }

    @AfterEach
    void close() {
        nodes.reversed().forEach(StoreNode::close);
    }

    @Test
    void letsOneOfSeveralWritersHaveEachNameAndLosesNone() {
        ConcurrentLinkedQueue<String> won = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
        try (var threads = Executors.newFixedThreadPool(nodes.size())) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (StoreNode node : nodes) {
                CatalogueChunk catalogue = new CatalogueChunk(node);
                writers.add(
                        CompletableFuture.runAsync(
                                () -> addAll(catalogue, node.nodeId(), won, lost), threads));
            }
            writers.forEach(CompletableFuture::join);
        }

        List<String> names = IntStream.range(0, NAMES).mapToObj(i -> "n" + i).sorted().toList();
        assertThat(won.stream().sorted()).containsExactlyElementsOf(names);
        assertThat(lost).hasSize(NAMES * (nodes.size() - 1));
        for (StoreNode node : nodes) {
            assertThat(new CatalogueChunk(node).read().names()).containsExactlyElementsOf(names);
        }
        assertThat(chunks()).as("older values are removed").isEqualTo(1);
    }

    private static void addAll(
            CatalogueChunk catalogue,
            int writer,
            ConcurrentLinkedQueue<String> won,
            ConcurrentLinkedQueue<String> lost) {
        for (int i = 0; i < NAMES; i++) {
            String name = "n" + i;
            try {
                catalogue.change(value -> value.add(graph(name, writer)));
                won.add(name);
            } catch (InvalidInputException late) {
                lost.add(name);
            }
        }
    }

    @Test
    void waitsForBackupsThatComeAndNotForEver() {
        AtomicInteger tries = new AtomicInteger();
        UnderReplicatedException few = new UnderReplicatedException(Durability.POWER, 2, 1);
        LongSupplier write =
                () -> {
                    if (tries.incrementAndGet() <= 2) {
                        throw few;
                    }
                    return 7;
                };

        assertThat(CatalogueChunk.withPatience(write, Duration.ofSeconds(30))).isEqualTo(7);
        tries.set(0);
        assertThatThrownBy(() -> CatalogueChunk.withPatience(write, Duration.ZERO)).isSameAs(few);
    }

    @Test
    void readsWhatItWroteToTheLastMember() {
        KeptGraph graph =
                graph("größe", 7)
                        .usedBy(9, "2026-01-01T00:00:00Z")
                        .with(
                                new KeptColumn(
                                        "b",
                                        new StateType(ColumnType.DOUBLE, 3),
                                        Long.MIN_VALUE,
                                        9,
                                        3))
                        .with(new KeptColumn("a", StateType.of(ColumnType.INT), 5, 9, 2));
        Leaving leaving = new Leaving(-3, true, 4, Long.MAX_VALUE, 9, 0, List.of(1L, 2L));

        new CatalogueChunk(nodes.get(1)).change(value -> value.add(graph).leave(leaving));

        Catalogue read = new CatalogueChunk(nodes.get(2)).read();
        assertThat(read.graphs()).containsExactly(graph);
        assertThat(read.leaving()).containsExactly(leaving);
        assertThat(graph.columns()).extracting(KeptColumn::name).containsExactly("a", "b");
    }

    @Test
    void removesWhatAWriterThatDiedDidNotComeToRemove() {
        long orphan = write(catalogue(6, NOBODY, ChunkId.NONE));
        point(write(catalogue(7, NOBODY, orphan)));

        new CatalogueChunk(nodes.get(0)).change(value -> value.add(graph("g", 1)));

        assertThat(nodes.get(1).chunks().exists(orphan)).isFalse();
        assertThat(chunks()).isEqualTo(1);
    }

    @Test
    void leavesAloneWhatHasGotTheIdOfAnOlderValueAndWhatALivingWriterRemoves() {
        long others = write(catalogue(3, NOBODY, ChunkId.NONE));
        point(write(catalogue(7, NOBODY, others)));
        new CatalogueChunk(nodes.get(0)).change(value -> value.add(graph("g", 1)));
        assertThat(nodes.get(1).chunks().exists(others)).as("another revision").isTrue();

        long livings = write(catalogue(8, NOBODY, ChunkId.NONE));
        point(write(catalogue(9, nodes.get(2).nodeId(), livings)));
        new CatalogueChunk(nodes.get(0)).change(value -> value.add(graph("h", 2)));
        assertThat(nodes.get(1).chunks().exists(livings)).as("its writer lives").isTrue();
    }

    @Test
    void changesNothingWhenTheChangeThrowsOrChangesNothing() {
        CatalogueChunk catalogue = new CatalogueChunk(nodes.get(0));
        catalogue.change(value -> value.add(graph("g", 1)));
        long revision = catalogue.read().revision();

        assertThatThrownBy(() -> catalogue.change(value -> value.add(graph("g", 2))))
                .isInstanceOf(InvalidInputException.class);
        catalogue.change(value -> value);

        assertThat(catalogue.read().revision()).isEqualTo(revision);
        assertThat(chunks()).isEqualTo(1);
    }

    private static Catalogue catalogue(long revision, int writer, long previous) {
        return new Catalogue(revision, writer, 1, previous, List.of(), List.of());
    }

    private static KeptGraph graph(String name, long descriptor) {
        return new KeptGraph(
                name,
                descriptor,
                1L << 40,
                2,
                true,
                false,
                3,
                List.of(descriptor),
                List.of(new StoredProperty("seen", new StateType(ColumnType.BOOLEAN, 3), true)),
                List.of(),
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:00:00Z",
                new KeptGraph.Origin(1, 2, 3, 4, 0.5, 1e-9),
                List.of(),
                null);
    }

    private long write(Catalogue value) {
        byte[] bytes =
                JsonText.write(RecordJson.PLAIN.tree(value)).getBytes(StandardCharsets.UTF_8);
        long chunk = nodes.get(1).chunks().create(bytes.length);
        nodes.get(1).chunks().put(chunk, bytes);
        return chunk;
    }

    private void point(long chunk) {
        nodes.get(0).names().register(CatalogueChunk.NAME, chunk);
    }

    private long chunks() {
        return nodes.stream().mapToLong(node -> node.chunks().statistics().chunks()).sum();
    }
}
