package org.starling.compute.internal.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;
import org.starling.net.LoopbackHub;
import org.starling.store.ChunkId;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;

/** The catalogue of a cluster with data directories, of which there are enough or too few. */
@Timeout(60)
final class CatalogueBackupsTest {
    private static final StoreConfig CONFIG =
            StoreConfig.defaults()
                    .withHeapBytes(16 << 20)
                    .withRequestTimeout(Duration.ofSeconds(4));

    @TempDir Path folder;
    private final LoopbackHub hub = new LoopbackHub();
    private final List<StoreNode> peers = new ArrayList<>();
    private StoreNode superpeer;

    @BeforeEach
    void open() {
        superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, CONFIG));
    }

    @AfterEach
    void close() {
        superpeer.close();
        peers.forEach(StoreNode::crash);
    }

    @Test
    void keepsItsBackupsWhileTooFewPeersAreUpAndIsChangedWhenTheyAreBack() {
        join(3);
        patient().change(value -> value.add(graph("g", replicated())));
        long before = chunk();
        assertThat(ChunkId.isReplicated(before)).isTrue();
        peers.get(2).crash();
        await(() ->
                superpeer.promised() == Durability.MEMORY
                        && peers.stream()
                                .limit(2)
                                .allMatch(peer -> peer.membership().nodes().size() == 3));

        CatalogueChunk catalogue = hasty();
        ThrowingCallable change =
                () -> catalogue.change(value -> value.add(graph("h", replicated())));
        Throwable refusal = catchThrowable(change);
        if (refusal instanceof IndeterminateException) { // begun before its owner had heard
            refusal = catchThrowable(change);
        }

        assertThat(refusal).isInstanceOf(UnderReplicatedException.class);
        assertThat(chunk()).isEqualTo(before);
        assertThat(catalogue.read().names()).containsExactly("g");
        join(1);
        patient().change(value -> value.add(graph("h", replicated())));
        assertThat(ChunkId.isReplicated(chunk())).isTrue();
        assertThat(catalogue.read().names()).containsExactly("g", "h");
    }

    @Test
    void namesNoGraphThatHasBackupsWithoutHavingSomeItself() {
        join(2);
        CatalogueChunk catalogue = hasty();

        assertThatThrownBy(() -> catalogue.change(value -> value.add(graph("g", replicated()))))
                .isInstanceOf(UnderReplicatedException.class);

        assertThat(catalogue.read().graphs()).isEmpty();
        assertThat(peers.stream().mapToLong(CatalogueBackupsTest::chunks).sum()).isZero();
    }

    @Test
    void isKeptInMemoryWhereGraphsAreUntilOneHasBackups() {
        join(1);
        CatalogueChunk catalogue = patient();
        catalogue.change(value -> value.add(graph("g", 1)));
        assertThat(ChunkId.isReplicated(chunk())).isFalse();
        join(2);
        await(() -> superpeer.promised() == Durability.POWER);

        catalogue.change(value -> value.add(graph("h", replicated())));

        assertThat(ChunkId.isReplicated(chunk())).isTrue();
        assertThat(catalogue.read().names()).containsExactly("g", "h");
    }

    /** As versions did that made do with what was promised at the moment. */
    @Test
    void getsItsBackupsBackFromWhoeverLooksWhetherThereIsSomethingToChange() {
        join(3);
        CatalogueChunk catalogue = patient();
        catalogue.change(value -> value.add(graph("g", replicated())));
        byte[] bytes = superpeer.chunks().get(chunk());
        long weak =
                superpeer
                        .chunks()
                        .with(Durability.MEMORY)
                        .createOn(peers.get(0).nodeId(), new int[] {bytes.length});
        superpeer.chunks().with(Durability.MEMORY).put(weak, bytes);
        superpeer.names().register(CatalogueChunk.NAME, weak);

        catalogue.change(value -> value);

        assertThat(ChunkId.isReplicated(chunk())).isTrue();
        assertThat(catalogue.read().names()).containsExactly("g");
        assertThat(superpeer.chunks().exists(weak)).isFalse();
    }

    /** No job begins without it, so somebody has to be able to say that it is gone. */
    @Test
    void beginsAnewIfItIsLostAndOnlyThen() {
        join(3);
        CatalogueChunk catalogue = patient();
        catalogue.change(value -> value.add(graph("g", replicated())));
        assertThatThrownBy(catalogue::beginAnew)
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("the list of kept graphs is there; drop them by their names");
        List<Integer> gone = peers.stream().map(StoreNode::nodeId).toList();
        peers.forEach(StoreNode::crash);
        await(() -> superpeer.membership().nodes().size() == 1);
        join(3);
        await(() -> superpeer.promised() == Durability.POWER);
        CatalogueChunk hasty = hasty();
        await(() -> catchThrowable(hasty::read) instanceof DataLostException);
        assertThatThrownBy(hasty::read)
                .hasMessageContaining("the list of kept graphs is lost")
                .hasMessageContaining("starling graphs forget --accept-loss");
        assertThatThrownBy(hasty::beginAnew)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("comes back with the nodes that had it");
        gone.forEach(node -> superpeer.forget(node, true));

        hasty.beginAnew();

        assertThat(catalogue.read().names()).isEmpty();
        catalogue.change(value -> value.add(graph("h", replicated())));
        assertThat(catalogue.read().names()).containsExactly("h");
    }

    @Test
    void beginsAnewIfItWasInTheMemoryOfAPeerThatIsGone() {
        join(1);
        CatalogueChunk catalogue = patient();
        catalogue.change(value -> value.add(graph("g", 1)));
        peers.getFirst().crash();
        await(() -> superpeer.membership().nodes().size() == 1);
        join(1);
        assertThatThrownBy(catalogue::read)
                .isInstanceOf(DataLostException.class)
                .hasMessageContaining("starling graphs forget --accept-loss");

        catalogue.beginAnew();

        assertThat(catalogue.read().names()).isEmpty();
    }

    private CatalogueChunk hasty() {
        return catalogue(Duration.ofSeconds(1));
    }

    private CatalogueChunk patient() {
        return catalogue(Duration.ofSeconds(40));
    }

    private CatalogueChunk catalogue(Duration patience) {
        return new CatalogueChunk(superpeer, patience);
    }

    private void join(int count) {
        for (int i = 0; i < count; i++) {
            Path data = folder.resolve("peer-" + peers.size());
            peers.add(
                    StoreNode.startPeer(NodeOptions.loopback(hub, CONFIG).withDataDirectory(data)));
        }
    }

    private long chunk() {
        return superpeer.names().lookup(CatalogueChunk.NAME);
    }

    private static long chunks(StoreNode peer) {
        return peer.chunks().statistics().chunks();
    }

    /** The id of a chunk with backups, as that of a graph's descriptor. */
    private static long replicated() {
        return ChunkId.ofZone(ChunkId.zoneOf(7, 1), 1);
    }

    private static KeptGraph graph(String name, long descriptor) {
        return new KeptGraph(
                name,
                descriptor,
                1,
                2,
                true,
                false,
                3,
                List.of(),
                List.of(),
                List.of(),
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:00:00Z",
                new KeptGraph.Origin(1, 2, 3, 4, 0.5, 1e-9),
                List.of(),
                null);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
