package org.starling.compute.internal.topology;

import java.util.List;
import java.util.function.LongConsumer;
import org.starling.compute.internal.graph.ChangeLayout;
import org.starling.compute.internal.graph.ChunkBytes;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.run.ChangeList;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.Slaves;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/**
 * Puts what the programs of a slave have asked for into chunks: one for each slave, of edges at its
 * own vertices, and one for all, of vertices that come and go and of what names ids. Chunks have no
 * backups: should a slave be lost, the superstep is done again. Used once, by one thread.
 */
public final class ChangeSender {
    private static final int MAX_CHANGES = Integer.MAX_VALUE / ChangeLayout.BYTES;

    private final NodeContext node;
    private final Slaves slaves;
    private final ShardTable shards;
    private final boolean bothEnds;

    /** For changes of this graph. */
    public ChangeSender(StoredGraph graph, NodeContext node, Slaves slaves) {
        GraphDescriptor descriptor = graph.descriptor();
        this.node = node;
        this.slaves = slaves;
        this.shards = graph.shards();
        this.bothEnds = !descriptor.directed() || descriptor.hasOwnIncomingRows();
    }

    /**
     * Makes the chunks.
     *
     * @param attempt under which they are made
     * @return chunk for each slave, and one for all behind them; 0 where there is nothing to say
     */
    public long[] send(List<ChangeList> changes, long attempt, MadeChunks made) {
        long[] ends = new long[slaves.count() + 1];
        forEach(changes, (_, to) -> ends[to]++);
        long total = 0;
        for (int to = 0; to < ends.length; to++) {
            if (ends[to] > MAX_CHANGES) {
                throw new JobFailedException(
                        "node %d has asked for %d changes of the graph in one superstep; spread them over several"
                                .formatted(node.node(), ends[to]));
            }
            total += ends[to];
            ends[to] = total;
        }
        long bytes = Math.max(1, total * ChangeLayout.BYTES);
        long sorted = NativeMemory.reserve(bytes);
        try {
            long[] next = new long[ends.length];
            System.arraycopy(ends, 0, next, 1, ends.length - 1);
            forEach(
                    changes,
                    (at, to) -> {
                        long into = sorted + next[to]++ * ChangeLayout.BYTES;
                        NativeMemory.copy(at, into, ChangeLayout.BYTES);
                    });
            return make(sorted, ends, attempt, made);
        } finally {
            NativeMemory.release(sorted, bytes);
        }
    }

    private long[] make(long sorted, long[] ends, long attempt, MadeChunks made) {
        ChunkService chunks = node.chunks().with(Durability.MEMORY);
        long[] into = new long[ends.length];
        long before = 0;
        for (int to = 0; to < ends.length; to++) {
            int bytes = (int) (ends[to] - before) * ChangeLayout.BYTES;
            long from = sorted + before * ChangeLayout.BYTES;
            if (bytes > 0) {
                into[to] =
                        made.make(
                                attempt,
                                chunks,
                                new int[] {bytes},
                                pinned -> NativeMemory.copy(from, pinned.address(0), bytes));
            }
            before = ends[to];
        }
        return into;
    }

    /** What is done with a change that concerns a slave, or all. */
    private interface Visitor {
        void visit(long at, int to);
    }

    private void forEach(List<ChangeList> changes, Visitor visitor) {
        for (ChangeList list : changes) {
            for (int i = 0; i < list.count(); i++) {
                visit(list.at(i), visitor);
            }
        }
    }

    private void visit(long at, Visitor visitor) {
        if (!ChangeLayout.isOfEdge(ChangeLayout.kind(at))) {
            visitor.visit(at, slaves.count());
            return;
        }
        int source = slaves.indexOf(shards.ownerOf(ChangeLayout.first(at)));
        visitor.visit(at, source);
        int target = slaves.indexOf(shards.ownerOf(ChangeLayout.second(at)));
        if (bothEnds && target != source) {
            visitor.visit(at, target);
        }
    }

    /** Visits the changes in chunks. */
    static void forEach(ChunkService chunks, long[] from, LongConsumer visitor) {
        for (long chunk : from) {
            if (chunk != 0) {
                try (ChunkBytes bytes = new ChunkBytes(chunks, chunk)) {
                    long end = bytes.address() + bytes.bytes();
                    for (long at = bytes.address(); at < end; at += ChangeLayout.BYTES) {
                        visitor.accept(at);
                    }
                }
            }
        }
    }
}
