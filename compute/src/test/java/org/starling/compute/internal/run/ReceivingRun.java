package org.starling.compute.internal.run;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.MadeRemoval;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.graph.EdgeDirection;
import org.starling.graph.LongCombiner;
import org.starling.net.NativeMemory;
import org.starling.store.StoreNode;

/**
 * A run of a node that owns nothing, and a block in which what others send it can be written: a
 * channel of sums, one of callers, and a mirror of {@code int}.
 */
final class ReceivingRun implements AutoCloseable {
    /** All that is sent comes. */
    static final SlaveConnections CONNECTED =
            new SlaveConnections(
                    _ -> 0,
                    (_, _) -> CompletableFuture.completedFuture(null),
                    new Slaves(new int[] {1}, 1));

    private static final int FOREIGN_NODE = 77;

    final WorkerTeam team = new WorkerTeam("team", 1);
    final RunContext context;
    final BlockReceiver receiver;
    final long block;
    private final ZeroedMemory memory = new ZeroedMemory();
    private final StoredGraph graph;

    ReceivingRun(StoreNode store, int vertices) {
        NodeContext node =
                NodeContext.of(
                        store,
                        team,
                        memory,
                        new MadeRemoval(store.names(), store.chunks(), store.nodeId()));
        long[] none = {0};
        GraphDescriptor descriptor =
                new GraphDescriptor(
                        "g",
                        0,
                        false,
                        false,
                        true,
                        4,
                        none,
                        new long[] {0, vertices},
                        new int[] {FOREIGN_NODE},
                        none,
                        none,
                        none,
                        List.of(),
                        none,
                        0,
                        false,
                        0);
        graph = new StoredGraph(descriptor, store.nodeId(), store.chunks());
        context =
                new RunContext(
                        1,
                        graph,
                        descriptor.info(),
                        node,
                        Map.of(),
                        Long.MAX_VALUE,
                        new StopSign());
        context.channel("sum", new ValueOp.OfLong(LongCombiner.SUM), EdgeDirection.OUTGOING);
        context.channel("calls", new ValueOp.OfVertex(4), EdgeDirection.OUTGOING);
        context.mirror("mirror", ColumnType.INT, -1);
        receiver = new BlockReceiver(context);
        block = NativeMemory.reserve(BlockLayout.MAX_BYTES);
    }

    void receive(int superstep, byte kind, int channel, int count, int recordBytes) {
        BlockLayout.writeHeader(block, 1, superstep, kind, channel, count);
        receiver.on(block, BlockLayout.HEADER_BYTES + recordBytes);
    }

    /** Writes a message into the block. */
    void message(int index, long ordinal, long value) {
        long at = block + BlockLayout.HEADER_BYTES + 12L * index;
        NativeMemory.putInt(at, (int) ordinal);
        NativeMemory.putLong(at + 4, value);
    }

    /** Writes a word of broadcasters or of those whose value changed. */
    void word(long word, long bits) {
        NativeMemory.putLong(block + BlockLayout.HEADER_BYTES, word);
        NativeMemory.putLong(block + BlockLayout.HEADER_BYTES + 8, bits);
    }

    @Override
    public void close() {
        NativeMemory.release(block, BlockLayout.MAX_BYTES);
        context.close();
        graph.close();
        memory.close();
        team.close();
    }
}
