package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.RowWindow;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.graph.JobFailedException;
import org.starling.graph.Program;
import org.starling.net.NetException;

/**
 * One worker thread's part of a run: its instance of the program, the handles that it declared, its
 * cursor, its outboxes, its counts. Confined to the worker's thread while the team works, to the
 * control thread otherwise.
 */
final class Worker implements AutoCloseable {
    final List<ChannelHandle> channels = new ArrayList<>();
    final List<RecordHandle> records = new ArrayList<>();
    final List<AggregatorHandle> aggregators = new ArrayList<>();
    final List<HistogramHandle> histograms = new ArrayList<>();
    final List<TextOutputHandle> outputs = new ArrayList<>();
    final VertexCursor cursor;
    private final RunContext context;
    private final Slaves slaves;
    private final ShardTable shards;
    private final @Nullable Outbox[] outboxes;
    private final long[] sentTo;
    private final Remote remote = new Remote();
    private @Nullable ChangeList changes;
    private @Nullable Program program;
    private int shard;
    private long shardFirst;
    private long shardSize;
    private int superstep;
    private long sent;
    private long published;
    private long computed;
    private long sentBytesBefore;
    private int slowestShard;
    private long slowestNanos;

    Worker(RunContext context, Slaves slaves) {
        this.context = context;
        this.slaves = slaves;
        this.shards = context.graph.shards();
        this.cursor = new VertexCursor(context.graph, context.settled);
        this.outboxes = new Outbox[slaves.count()];
        this.sentTo = new long[slaves.count()];
    }

    /** Sets the program and lets it declare. */
    RunDeclaration declare(Program newProgram) {
        program = newProgram;
        RunDeclaration declaration = new RunDeclaration(context, this);
        newProgram.declare(declaration);
        return declaration;
    }

    Program program() {
        return Objects.requireNonNull(program, "a program");
    }

    /** Begins a superstep. */
    void enter(int newSuperstep) {
        superstep = newSuperstep;
        cursor.enter(newSuperstep);
        channels.forEach(handle -> handle.enter(newSuperstep));
        records.forEach(handle -> handle.enter(newSuperstep));
        Arrays.fill(sentTo, 0);
        sent = 0;
        published = 0;
        computed = 0;
        sentBytesBefore = sentBytesInAll();
        slowestNanos = -1;
    }

    /** Turns to a shard. */
    void enterShard(int newShard) {
        shard = newShard;
        shardFirst = shards.first(newShard);
        shardSize = shards.size(newShard);
        outputs.forEach(output -> output.enter(newShard, superstep == 0));
    }

    /** Leaves a shard: partial values of aggregators go to {@code into}. */
    void leaveShard(long[] into, int offset) {
        aggregators.forEach(handle -> into[offset + handle.index()] = handle.takePartial());
        outputs.forEach(TextOutputHandle::leave);
        shardSize = 0;
    }

    /** Combines what was added to aggregators outside of shards into the values of one. */
    void addPartials(Aggregates aggregates, long[] into, int offset) {
        for (AggregatorHandle handle : aggregators) {
            int at = offset + handle.index();
            into[at] = aggregates.combineUnordered(handle.index(), into[at], handle.takePartial());
        }
    }

    /** Where changes of the topology go; from the first call on the program may make some. */
    ChangeList changes() {
        if (changes == null) {
            changes = new ChangeList();
        }
        return changes;
    }

    /** Whether the program may change the topology. */
    boolean changesTopology() {
        return changes != null;
    }

    /** Sends a message for the next superstep. */
    void send(Channel channel, long target, long value) {
        Outbox outbox = outboxFor(target);
        if (outbox == null) {
            channel.inbox(superstep + 1).deliver(target, value);
        } else {
            outbox.message(BlockLayout.MESSAGES, superstep + 1, channel, target, value);
        }
    }

    /**
     * Counts a message for the next superstep.
     *
     * @return where it goes; null if it stays here
     */
    @Nullable Outbox outboxFor(long target) {
        if (target < 0 || target >= shards.vertices()) {
            throw new JobFailedException(
                    "there is no vertex with ordinal "
                            + target
                            + " to send to; the graph has "
                            + shards.vertices()
                            + " vertices");
        }
        sent++;
        int owner = slaves.isAlone() ? slaves.self() : shards.ownerOf(target);
        if (owner == slaves.self()) {
            return null;
        }
        int slave = slaves.indexOf(owner);
        sentTo[slave]++;
        return outbox(slave);
    }

    /** A window on rows; the cursor's if it looks at the same. */
    RowWindow window(Rows rows) {
        return cursor.rows().rows() == rows ? cursor.rows() : new RowWindow(rows);
    }

    /** Checks that an ordinal belongs to the shard being computed. */
    void checkOwn(long ordinal) {
        if (Long.compareUnsigned(ordinal - shardFirst, shardSize) >= 0) {
            throw new JobFailedException(
                    "vertex with ordinal "
                            + ordinal
                            + " is not in the shard being computed, which has "
                            + shardSize
                            + " vertices from "
                            + shardFirst
                            + " on");
        }
    }

    /** The shard being computed, or the last one. */
    int shard() {
        return shard;
    }

    /** Ordinal behind the shard being computed. */
    long shardEnd() {
        return shardFirst + shardSize;
    }

    void countPublished() {
        published++;
    }

    void countComputed(long vertices) {
        computed += vertices;
    }

    /** Where a channel's pushed messages for other nodes go; null if there are no other nodes. */
    PushKernel.@Nullable RemoteTargets remote(Channel channel) {
        if (slaves.isAlone()) {
            return null;
        }
        remote.channel = channel;
        return remote;
    }

    /** Blocks on their way to a slave. */
    Outbox outbox(int slave) {
        Outbox outbox = outboxes[slave];
        if (outbox == null) {
            outbox =
                    new Outbox(
                            context.node.network().raw(slaves.node(slave)),
                            BlockLayout.RUN_BLOCK,
                            context.run,
                            this::refused);
            outboxes[slave] = outbox;
        }
        return outbox;
    }

    /** What the program has sent may be missing somewhere, even if it says nothing of that. */
    private void refused(NetException why) {
        context.failure.note(why, () -> "sending to another node");
        context.stop.raise(); // behind the reason, which others must not take the place of
    }

    /** Sends what has been collected. */
    void flush() {
        records.forEach(RecordHandle::flush);
        for (Outbox outbox : outboxes) {
            if (outbox != null) {
                outbox.flush();
            }
        }
    }

    /** Hears how long a shard took. */
    void timed(int shard, long nanos) {
        if (nanos > slowestNanos) {
            slowestNanos = nanos;
            slowestShard = shard;
        }
    }

    /** The shard that took longest in this superstep. */
    int slowestShard() {
        return slowestShard;
    }

    /** How long it took; -1 if this worker has computed none. */
    long slowestNanos() {
        return slowestNanos;
    }

    /** Bytes that this worker has sent in this superstep. */
    long sentBytes() {
        return sentBytesInAll() - sentBytesBefore;
    }

    private long sentBytesInAll() {
        long bytes = 0;
        for (Outbox outbox : outboxes) {
            bytes += outbox == null ? 0 : outbox.sentBytes();
        }
        return bytes;
    }

    long sent() {
        return sent;
    }

    long sentTo(int slave) {
        return sentTo[slave];
    }

    long published() {
        return published;
    }

    long computed() {
        return computed;
    }

    /** Counts of the histograms of this worker. */
    long[] histogramCounts() {
        return Histograms.flat(histograms.stream().map(HistogramHandle::counts).toList());
    }

    /** Bytes of memory that the outboxes have taken. */
    long takenBytes() {
        long bytes = 0;
        for (Outbox outbox : outboxes) {
            bytes += outbox == null ? 0 : outbox.takenBytes();
        }
        return bytes;
    }

    @Override
    public void close() {
        records.forEach(RecordHandle::close);
        if (changes != null) {
            changes.close();
        }
        for (Outbox outbox : outboxes) {
            if (outbox != null) {
                outbox.close();
            }
        }
    }

    private final class Remote implements PushKernel.RemoteTargets {
        private @Nullable Channel channel;

        @Override
        public ShardTable shards() {
            return shards;
        }

        @Override
        public int self() {
            return slaves.self();
        }

        @Override
        public void send(int node, long ordinal, long value) {
            Channel pushed = Objects.requireNonNull(channel);
            outbox(slaves.indexOf(node))
                    .message(BlockLayout.PUSHED, superstep, pushed, ordinal, value);
        }
    }
}
