package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.Arrays;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.OutputMessage.PartsWritten;
import org.starling.compute.internal.run.Gate;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.JobCancelledException;

/**
 * A slave's part of {@link PartsFile} or {@link PartsFolder}: writes the slave's own shards, one
 * file for each, some at once. Owned by {@link SlaveJob}; one thread writes, another may end it.
 */
final class PartWriting {
    private final StoredGraph graph;
    private final NodeContext node;
    private final ShardFile file;
    private final StopSign stop = new StopSign();
    private final Gate gate = new Gate();

    /** Writes the file of a shard; any thread. */
    interface ShardFile {
        /** Writes it, and looks now and then whether it should stop. Returns its length. */
        long write(int shard, StopSign stop);
    }

    PartWriting(StoredGraph graph, NodeContext node, ShardFile file) {
        this.graph = graph;
        this.node = node;
        this.file = file;
    }

    /** Lets it end soon; any thread. */
    void stop() {
        stop.raise();
    }

    /** Waits, after {@link #stop}, until nobody writes; false if somebody does even then. */
    boolean awaitEnd(Duration patience) {
        return gate.shut(patience);
    }

    /**
     * Writes all.
     *
     * @param evenEmpty whether the first shard has a file even if the graph has no vertices
     */
    PartsWritten write(boolean evenEmpty) {
        if (!gate.enter()) {
            throw new JobCancelledException("the writing has ended");
        }
        try {
            ShardTable table = graph.shards();
            boolean isEmpty = evenEmpty && table.vertices() == 0;
            int[] shards =
                    Arrays.stream(graph.ownShards())
                            .filter(shard -> table.size(shard) > 0 || (isEmpty && shard == 0))
                            .toArray();
            long[] bytes = new long[shards.length];
            node.team()
                    .forEach(
                            shards.length,
                            stop,
                            (_, part) -> bytes[part] = file.write(shards[part], stop));
            return new PartsWritten(shards, bytes);
        } finally {
            gate.leave();
        }
    }
}
