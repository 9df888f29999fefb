package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.graph.JobCancelledException;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.NodeOptions;
import org.starling.store.OwnerLostException;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** Rows of others on one node. */
final class RowCopiesTest {
    private static final int FOREIGN_NODE = 77;
    private static final int VERTICES = 1_000;

    @Test
    void leaveNoMemoryBehindWhereSomeCannotBeRead() {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(8 << 20);
        LoopbackHub hub = new LoopbackHub();
        try (StoreNode superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, config));
                StoreNode peer = StoreNode.startPeer(NodeOptions.loopback(hub, config))) {
            long rows = peer.chunks().createRange(VERTICES, 16);
            long gone = ChunkId.of(FOREIGN_NODE, 1);
            try (StoredGraph graph =
                    new StoredGraph(graph(rows, gone), superpeer.nodeId(), superpeer.chunks())) {
                long before = NativeMemory.reservedBytes();

                assertThatThrownBy(() -> RowCopies.fetch(graph, superpeer.chunks(), new StopSign()))
                        .isInstanceOf(OwnerLostException.class);

                assertThat(NativeMemory.reservedBytes()).isEqualTo(before);

                StopSign stop = new StopSign();
                stop.raise();
                assertThatThrownBy(() -> RowCopies.fetch(graph, superpeer.chunks(), stop))
                        .isInstanceOf(JobCancelledException.class);
            }
        }
    }

    private static GraphDescriptor graph(long... outRanges) {
        long[] none = {0, 0};
        return new GraphDescriptor(
                "g",
                0,
                false,
                false,
                true,
                4,
                none,
                new long[] {0, VERTICES, 2L * VERTICES},
                new int[] {FOREIGN_NODE, FOREIGN_NODE},
                outRanges,
                none,
                none,
                List.of(),
                none,
                0,
                false,
                0);
    }
}
