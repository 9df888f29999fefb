package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Arrivals;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.SlaveConnections;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.StopSign;
import org.starling.net.NativeMemory;

/**
 * Blocks between the slaves of a build. Each worker has outboxes of its own; a step ends when
 * everybody has told everybody that all has been sent.
 */
final class Exchange implements AutoCloseable {
    /** The lane of all records whose kinds are not mixed. */
    static final int LANE = 0;

    /** The lane of strings, which go beside records of other kinds. */
    static final int STRINGS_LANE = 3;

    private static final int LANES = 4;

    private final NodeContext node;
    private final Slaves slaves;
    private final long build;
    private final StopSign stop;
    private final SlaveConnections connections;
    private final Arrivals ends = new Arrivals();
    private final @Nullable Outbox[][] outboxes;
    private int steps;

    Exchange(long build, NodeContext node, Slaves slaves, StopSign stop) {
        this.build = build;
        this.node = node;
        this.slaves = slaves;
        this.stop = stop;
        this.connections = SlaveConnections.of(node.network(), slaves);
        this.outboxes = new Outbox[node.team().size()][LANES * slaves.count()];
    }

    /**
     * A worker's way to a slave; lanes, so that records of as many kinds can be mixed without
     * cutting blocks short.
     */
    Outbox outbox(int worker, int slave, int lane) {
        int index = LANES * slave + lane;
        Outbox outbox = outboxes[worker][index];
        if (outbox == null) {
            outbox =
                    new Outbox(
                            node.network().raw(slaves.node(slave)),
                            BlockLayout.BUILD_BLOCK,
                            build,
                            _ -> {}); // no code of users sends
            outboxes[worker][index] = outbox;
        }
        return outbox;
    }

    /** Sends what a worker has collected. */
    void flush(int worker) {
        for (Outbox outbox : outboxes[worker]) {
            if (outbox != null) {
                outbox.flush();
            }
        }
    }

    /** All workers but the first have flushed: flushes, tells the others, and waits for them. */
    void finish() {
        flush(0);
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                outbox(0, slave, LANE).signal(BlockLayout.SENT, steps);
            }
        }
        ends.take(steps, slaves.count() - 1L, stop, connections);
        steps++;
    }

    /** Counts a slave's end; called by the receiving thread. */
    void onEnd(int step) {
        ends.add(step, 1);
    }

    /** Takes a block of numbers. */
    static void take(LongArrayList into, long records, long end, int count) {
        check((long) count * Long.BYTES == end - records);
        for (long at = records; at < end; at += Long.BYTES) {
            into.add(NativeMemory.getLong(at));
        }
    }

    /** Refuses a block that cannot be right. */
    static void check(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("a block from another slave makes no sense");
        }
    }

    @Override
    public void close() {
        for (Outbox[] row : outboxes) {
            for (Outbox outbox : row) {
                if (outbox != null) {
                    outbox.close();
                }
            }
        }
    }
}
