package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.catalogue.Leaving;
import org.starling.compute.internal.catalogue.LeavingChunks;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.group.Withholding.Leader;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.graph.BuildOptions;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.StoreNode;

/**
 * Chunks of a graph that goes, and those that others make meanwhile: of what was removed by
 * somebody who is lost, or does not know that it was, before all is done.
 */
@Timeout(120)
final class GraphRemovalTest {
    private static final int VERTICES = 60_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TestGroup group;
    private MasterSession master;

    @BeforeEach
    void build() {
        group = TestGroup.durable(4);
        master = group.begin(1, CheckpointOptions.NONE, JobListener.SILENT);
        master.beginTask(0);
        TestEdges edges = TestEdges.random(3, VERTICES, 200_000);
        master.build("g", TestEdges.NAME, edges.named(), BuildOptions.DIRECTED);
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void leavesAloneWhatOthersMakeWhenItIsAskedAgain() {
        try (Withholding withholding = new Withholding(chunks())) {
            long descriptor = letGo();
            GraphRemoval removal = removal(withholding);
            long before = group.chunksOf(0);

            removal.remove(descriptor);
            long removed = before - group.chunksOf(0);
            List<Long> others = makeOthers();
            removal.remove(descriptor);

            assertThat(removed).isGreaterThan(VERTICES / 5);
            assertThat(others).allMatch(chunks()::exists);
            assertThat(withholding.size()).isEqualTo(1);
        }
    }

    /** The zone's next owner, which knows of nothing, is asked to remove the graph. */
    @Test
    void leavesAloneWhatOthersMakeWhenTheOwnerIsLost() {
        try (Withholding withholding = new Withholding(chunks())) {
            long descriptor = letGo();
            long[] rows = DescriptorChunk.read(chunks(), descriptor).outRanges();
            long row = Arrays.stream(rows).filter(chunks()::isLocal).findFirst().orElseThrow();
            removal(withholding).remove(descriptor);
            List<Long> others = makeOthers();

            int lost = group.kill(0);
            ChunkService user = group.node(1).chunks();
            TestGroup.await(() -> user.owner(row) >= 0 && user.owner(row) != lost);
            int next = user.owner(row);
            int peer =
                    LongStream.range(1, 4)
                            .mapToInt(i -> (int) i)
                            .filter(i -> group.nodeId(i) == next)
                            .findFirst()
                            .orElseThrow();
            try (Withholding its = new Withholding(group.node(peer).chunks())) {
                new GraphRemoval(group.node(peer).chunks(), next, its).remove(descriptor);
            }

            assertThat(user.exists(row)).isFalse();
            assertThat(others).allMatch(user::exists);
        }
    }

    @Test
    void givesIdsOutAgainWhenTheDescriptorIsGone() {
        try (Withholding withholding = new Withholding(chunks())) {
            long descriptor = letGo();
            removal(withholding).remove(descriptor);
            assertThat(withholding.size()).isEqualTo(1);

            chunks().remove(descriptor);

            TestGroup.await(() -> withholding.size() == 0);
        }
    }

    /**
     * A kept graph is dropped, and whoever removes it comes no further than the first rows of the
     * last shard; another one goes on.
     */
    @Test
    void takesNothingOfOthersWhenAnotherOneGoesOnInTheMiddleOfAShard() {
        master.keep("g");
        master.endTask();
        master.endJob();
        StoreNode node = group.node(0);
        CatalogueChunk catalogue = new CatalogueChunk(node);
        KeptGraph g = catalogue.read().require("g");
        GraphDescriptor graph = DescriptorChunk.read(chunks(), g.descriptor());
        catalogue.change(value ->
                value.drop(
                        "g",
                        new Leaving(5, false, Leaving.NOBODY, 0, 0, g.descriptor(), List.of())));
        List<Long> others;
        long rows =
                Arrays.stream(graph.inRanges())
                        .filter(chunks()::isLocal)
                        .reduce(0, (_, last) -> last);
        try (PinnedRange _ = chunks().pin(rows, 1)) {
            new LeavingChunks(node, catalogue).remove(_ -> true);
            assertThat(catalogue.read().leaving()).hasSize(1);
            others = makeOthers();
        }

        new LeavingChunks(group.node(1), catalogue).remove(_ -> true);

        assertThat(catalogue.read().leaving()).isEmpty();
        assertThat(others).allMatch(chunks()::exists);
        assertThat(group.chunks()).isEqualTo(1 + 100L * others.size());
        assertThat(new CatalogueService(node, InstantSource.system()).graphs()).isEmpty();
    }

    /** A peer is there that serves nothing yet, and has made nothing. */
    @Test
    void dropsAGraphThoughAPeerThatOwnsNothingDoesNotServeYet() {
        master.keep("g");
        master.endTask();
        master.endJob();
        group.joinWithoutSlave();
        group.awaitMembers(5);
        StoreNode node = group.node(0);
        CatalogueChunk catalogue = new CatalogueChunk(node);
        KeptGraph g = catalogue.read().require("g");
        catalogue.change(value ->
                value.drop(
                        "g",
                        new Leaving(5, false, Leaving.NOBODY, 0, 0, g.descriptor(), List.of())));

        new LeavingChunks(node, catalogue).remove(_ -> true);

        assertThat(catalogue.read().leaving()).isEmpty();
    }

    /**
     * The chunk that leads to rows is gone, its id is another one's, and that leads to other rows,
     * before anybody has looked.
     */
    @Test
    void withholdsRowsOfTheNextChunkWithTheSameId() {
        long first = chunks().createRange(4_000, 8);
        long second = chunks().createRange(4_000, 8);
        AtomicBoolean isFirstOver = new AtomicBoolean();
        try (Withholding withholding = new Withholding(chunks())) {
            withholding.hold(new Leader(first, 1), first, 10, isFirstOver::get);
            withholding.hold(new Leader(first, 2), second, 4_000, () -> false);
            chunks().removeRange(second, 4_000);

            isFirstOver.set(true);
            TestGroup.await(() -> withholding.size() == 1);

            long others = chunks().near(second).createRange(100, 8);
            assertThat(others).isGreaterThanOrEqualTo(second + 4_000);
        }
    }

    /** The descriptor is gone, and its id is another chunk's before anybody has looked. */
    @Test
    void letsRowsOutThoughTheIdOfTheDescriptorIsAnothersAlready() {
        try (Withholding withholding = new Withholding(chunks())) {
            long descriptor = letGo();
            removal(withholding).remove(descriptor);

            chunks().put(descriptor, new byte[8]);

            TestGroup.await(() -> withholding.size() == 0);
        }
    }

    /** A service ends before its node does. */
    @Test
    void withholdsIdsUntilTheNodeEnds() {
        long rows = chunks().createRange(4_000, 8);
        Withholding withholding = new Withholding(chunks());
        withholding.hold(new Leader(rows + 1_000_000, 1), rows, 4_000, () -> false);
        chunks().removeRange(rows, 4_000);

        withholding.close();

        long others = chunks().near(rows).createRange(100, 8);
        assertThat(others).isGreaterThanOrEqualTo(rows + 4_000);
    }

    // private

    private ChunkService chunks() {
        return group.node(0).chunks().with(Durability.PROCESS);
    }

    private GraphRemoval removal(Withholding withholding) {
        return new GraphRemoval(chunks(), group.nodeId(0), withholding);
    }

    private long letGo() {
        for (int i = 0; i < 4; i++) {
            group.node(1).network().request(group.nodeId(i), new Detach(1, "g"), PATIENCE).join();
        }
        return group.graphOf(0);
    }

    /** Ranges of 100, as many as take all ids that are free. */
    private List<Long> makeOthers() {
        return LongStream.range(0, 300).map(_ -> chunks().createRange(100, 8)).boxed().toList();
    }
}
