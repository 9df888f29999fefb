package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.graph.BuildOptions;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.StoreNode;

/** Chunks of a graph that goes, and those that are made meanwhile. */
final class GraphRemovalTest {
    private static final int VERTICES = 60_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void leavesAloneWhatOthersMakeOfTheIdsThatItHasFreed() {
        try (TestGroup group = TestGroup.durable(3)) {
            StoreNode node = group.node(0);
            ChunkService chunks = node.chunks().with(Durability.PROCESS);
            MasterSession master = group.begin(1, CheckpointOptions.NONE, JobListener.SILENT);
            TestEdges edges = TestEdges.random(3, VERTICES, 200_000);
            master.build("g", TestEdges.NAME, edges.named(), BuildOptions.DIRECTED);
            long descriptor = group.graphOf(0);
            group.node(1).network().request(node.nodeId(), new Detach(1, "g"), PATIENCE).join();
            GraphRemoval removal = new GraphRemoval(node.chunks(), node.nodeId());
            long before = group.chunksOf(0);

            removal.remove(descriptor);
            long removed = before - group.chunksOf(0);
            List<Long> others = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                others.add(chunks.create(8));
            }
            removal.remove(descriptor);

            assertThat(removed).isGreaterThan(VERTICES / 4);
            assertThat(others).allMatch(chunks::exists);
        }
    }
}
