package org.starling.compute.internal.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.compute.internal.protocol.RecoveryMessage.Saved;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.compute.internal.protocol.RunMessage.PrepareReport;
import org.starling.compute.internal.protocol.RunMessage.Superstep;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Program;
import org.starling.graph.TeamProgram;
import org.starling.net.NetException;

/**
 * One program on one slave, superstep after superstep.
 *
 * <p>A superstep is a job of the worker team in two halves: {@link Delivery}, then {@link
 * ShardLoop} for each shard, before which long rows are pulled by all together ({@link HubPull}),
 * with barriers between (among workers, and by counted arrivals among slaves). Own shards are
 * handed out to workers one by one. Where messages are not combined they are listed before all this
 * ({@link RecordBarrier}). What a {@link TeamProgram} does together follows behind another barrier.
 * A worker that fails notes what happened and still comes to every barrier. Owned by the slave;
 * called by its control thread, but for {@link #onBlock}.
 */
public final class SlaveRun implements AutoCloseable {
    private final RunContext context;
    private final Slaves slaves;
    private final SlaveConnections connections;
    private final Worker[] workers;
    private final ShardLoop[] loops;
    private final BlockReceiver receiver;
    private final Delivery delivery;
    private final HubPull hubs;
    private final Gate gate = new Gate();
    private final ShardTable shards;
    private final int[] ownShards;
    private final PrepareReport prepared;
    private final @Nullable Bitmap starts;
    private final boolean alwaysActive;
    private final boolean teamwork;
    private final AtomicInteger nextDelivery = new AtomicInteger();
    private final AtomicInteger nextHub = new AtomicInteger();
    private final AtomicInteger nextCompute = new AtomicInteger();
    private final FirstFailure failure;
    private final RecordBarrier records;
    private final ShardSnapshots snapshots;
    private final boolean[] told = new boolean[2];
    private long restoredSettledEdges;
    private final Object partialsLock = new Object();
    private long[] partials = {};

    /**
     * Prepares a run: makes the program's instances and columns.
     *
     * @param program makes an instance for each worker
     * @param outputs files for outputs of the program
     * @param recordBytes memory that messages which are not combined may take
     */
    public SlaveRun(
            long run,
            StoredGraph graph,
            NodeContext node,
            Slaves slaves,
            Supplier<Program> program,
            Map<String, Path> outputs,
            long recordBytes,
            StopSign stop) {
        HeapReserve.refill();
        this.connections = SlaveConnections.of(node.network(), slaves); // before there is memory
        this.context =
                new RunContext(
                        run, graph, graph.descriptor().info(), node, outputs, recordBytes, stop);
        this.failure = context.failure;
        this.slaves = slaves;
        this.shards = graph.shards();
        this.ownShards = graph.ownShards();
        this.workers = new Worker[node.team().size()];
        this.loops = new ShardLoop[workers.length];
        RunDeclaration declaration = declare(context, slaves, workers, program);
        this.alwaysActive = declaration.isAlwaysActive();
        this.teamwork = ownShards.length > 0 && workers[0].program() instanceof TeamProgram;
        this.starts = declaration.startsSomewhere() ? new Bitmap(shards.vertices()) : null;
        this.prepared =
                new PrepareReport(declaration.startIds(), markStarts(declaration.startIds()));
        for (int i = 0; i < workers.length; i++) {
            loops[i] = new ShardLoop(context, workers[i], starts);
        }
        this.receiver = new BlockReceiver(context);
        this.delivery = new Delivery(context, slaves);
        this.hubs = new HubPull(context);
        this.records = new RecordBarrier(context);
        this.snapshots = new ShardSnapshots(context);
    }

    /** What the program declared. */
    public PrepareReport prepared() {
        return prepared;
    }

    /** Who runs, for people. */
    public String program() {
        return "program " + workers[0].program().getClass().getName();
    }

    /** Whether code of a jar has taken all room for objects of Java in this process. */
    public boolean hasExhaustedHeap() {
        return failure.isExhausted() && !Objects.equals(code(), SlaveRun.class.getClassLoader());
    }

    /** Does a superstep; the future completes on a worker's thread. */
    public CompletableFuture<SuperstepReport> superstep(Superstep command) {
        receiver.enter(command.superstep());
        if (command.superstep() > 0) {
            context.aggregates.set(command.aggregates());
        }
        context.globals.set(command.globals());
        partials = new long[ownShards.length * context.aggregates.count()];
        nextDelivery.set(0);
        records.begin();
        nextHub.set(0);
        nextCompute.set(0);
        for (Worker worker : workers) {
            worker.enter(command.superstep());
        }
        Direction[] directions = command.directions();
        return context.node
                .team()
                .start(number -> WorkerTeam.within(code(), () -> work(number, command, directions)))
                .handle((_, thrown) -> report(command.superstep(), command.deliverOnly(), thrown));
    }

    /**
     * Between two supersteps: writes what the run knows of own shards into chunks.
     *
     * @param superstep the superstep to come
     * @param expected records of direct messages that must have come for it
     * @param checkpoint for which they are
     * @param made makes them; any worker
     */
    public Saved save(int superstep, long expected, long checkpoint, MadeChunks made) {
        return inside(() -> {
            receiver.messages().await(superstep, expected, context.stop, connections);
            records.listNow(superstep);
            long[] chunks = new long[ownShards.length];
            saveFields(superstep);
            forEach(
                    ownShards.length,
                    (_, i) -> {
                        chunks[i] = snapshots.save(ownShards[i], superstep, checkpoint, made);
                    });
            made.settle(checkpoint);
            return new Saved(ownShards, chunks, histograms());
        });
    }

    /**
     * Goes on where another instance of this run was; called before the first superstep.
     *
     * @param superstep the superstep to come
     * @param chunks for each shard what {@link #save} wrote
     */
    public void restore(int superstep, long[] chunks) {
        receiver.enter(superstep);
        inside(() -> {
            forEach(
                    chunks.length,
                    (_, shard) -> {
                        boolean own = shards.owner(shard) == slaves.self();
                        if (chunks[shard] != 0 && (own || snapshots.hasMirrors())) {
                            snapshots.restore(shard, superstep, chunks[shard]);
                        }
                    });
            context.settleGone();
            restoredSettledEdges = settledEdges();
            return true;
        });
    }

    /** Takes a block from another slave; called by the receiving thread. */
    public void onBlock(long address, int bytes) {
        if (gate.enter()) {
            try {
                receiver.on(address, bytes);
            } finally {
                gate.leave();
            }
        }
    }

    /** Lets workers that are in the middle of something stop; called by any thread. */
    public void stop() {
        failure.abandon("the run was stopped");
        context.stop.raise();
    }

    /** Ends the run and says what is left of it. */
    public EndReport end(boolean succeeded) {
        if (!succeeded) {
            context.dropNewStates();
        }
        return new EndReport(histograms(), takenBytes());
    }

    private long takenBytes() {
        long bytes = context.takenBytes() + (starts == null ? 0 : starts.takenBytes());
        for (Worker worker : workers) {
            bytes += worker.takenBytes();
        }
        return bytes;
    }

    private long[] histograms() {
        return Histograms.sum(Arrays.stream(workers).map(Worker::histogramCounts).toList());
    }

    /**
     * Waits, after {@link #stop}, until nobody works in the run.
     *
     * @return false if somebody does even now: the run must not be closed
     */
    public boolean awaitEnd(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        return context.node.team().awaitIdle(patience)
                && gate.shut(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }

    /** Frees what the run took; after {@link #awaitEnd}, or if nobody has ever worked in it. */
    @Override
    public void close() {
        for (Worker worker : workers) {
            worker.close();
        }
        if (starts != null) {
            starts.close();
        }
        context.close();
    }

    /** Lets an instance for each worker declare; leaves nothing behind if one refuses. */
    private static RunDeclaration declare(
            RunContext context, Slaves slaves, Worker[] workers, Supplier<Program> program) {
        try {
            RunDeclaration declaration = null;
            for (int i = 0; i < workers.length; i++) {
                workers[i] = new Worker(context, slaves);
                declaration = workers[i].declare(program.get());
            }
            return Objects.requireNonNull(declaration, "a team without workers");
        } catch (RuntimeException | Error e) {
            for (Worker worker : workers) {
                if (worker != null) {
                    worker.close();
                }
            }
            context.dropNewStates();
            context.close();
            throw e;
        }
    }

    private int markStarts(long[] ids) {
        int found = 0;
        for (long id : ids) {
            long ordinal = context.graph.ordinal(id);
            if (ordinal >= 0 && starts != null) {
                starts.set(ordinal);
                found++;
            }
        }
        return found;
    }

    /** Lets the program put what it keeps elsewhere into states. */
    private void saveFields(int superstep) {
        forEach(
                ownShards.length,
                (number, i) -> {
                    workers[number].enterShard(ownShards[i]);
                    loops[number].save(ownShards[i], superstep);
                });
    }

    /** Does something that nobody may end meanwhile. */
    public <R> R inside(Supplier<R> step) {
        if (!gate.enter()) {
            throw new JobCancelledException("the run has ended");
        }
        try {
            return step.get();
        } finally {
            gate.leave();
        }
    }

    private void forEach(int parts, WorkerTeam.PartConsumer body) {
        context.node
                .team()
                .forEach(
                        parts,
                        context.stop,
                        (worker, part) ->
                                WorkerTeam.within(code(), () -> body.accept(worker, part)));
    }

    private @Nullable ClassLoader code() {
        return workers[0].program().getClass().getClassLoader();
    }

    private long settledEdges() {
        long edges = 0;
        for (int shard : ownShards) {
            for (long ordinal = shards.first(shard); ordinal < shards.end(shard); ordinal++) {
                if (context.settled.get(ordinal)) {
                    edges += context.graph.out().degree(ordinal);
                }
            }
        }
        return edges;
    }

    private void work(int number, Superstep command, Direction[] directions) {
        Worker worker = workers[number];
        if (number == 0) {
            FaultPoint.superstep(FaultPoint.SLAVE, command.superstep(), context.stop::isRaised);
        }
        boolean any = command.mirrors();
        boolean mustMeet = command.mirrors();
        for (Direction direction : directions) {
            any |= direction != Direction.NONE;
            mustMeet |= direction == Direction.PUSH;
        }
        WorkerTeam team = context.node.team();
        if (!slaves.isAlone() && !command.deliverOnly()) {
            if (number == 0) {
                guarded(worker, number, command, () -> awaitMessages(command));
            }
            team.barrier();
        }
        if (records.isNeeded() && !command.deliverOnly()) {
            guarded(worker, number, command, () -> records.place(command.superstep()));
            team.barrier();
            guarded(worker, number, command, () -> records.enter(command.superstep()));
            team.barrier();
        }
        if (any && (mustMeet || !slaves.isAlone())) {
            guarded(worker, number, command, () -> deliver(number, command, directions));
            team.barrier();
            if (!slaves.isAlone()) {
                if (number == 0) {
                    always(worker, number, command, () -> tellDelivered(worker, command));
                    guarded(worker, number, command, () -> awaitDelivered(command));
                }
                team.barrier();
            }
        }
        if (hubs.pieces(directions) > 0) {
            guarded(worker, number, command, () -> pullHubs(number, command, directions));
            team.barrier();
        }
        if (command.deliverOnly()) {
            guarded(worker, number, command, () -> receive(number, command, directions));
            return;
        }
        guarded(worker, number, command, () -> compute(number, command, directions));
        if (teamwork) {
            team.barrier();
            guarded(worker, number, command, () -> together(number, command.superstep()));
        }
    }

    private void awaitMessages(Superstep command) {
        receiver.messages()
                .take(command.superstep(), command.expected(), context.stop, connections);
        int parity = command.superstep() & 1;
        if (told[parity]) {
            clearForeignWords(command.superstep());
            told[parity] = false;
        }
    }

    /** What other nodes told two supersteps ago; nobody reads or writes it now. */
    private void clearForeignWords(int superstep) {
        for (int shard = 0; shard < shards.count(); shard++) {
            if (shards.owner(shard) != slaves.self()) {
                for (Channel channel : context.channels) {
                    channel.published(superstep)
                            .broadcasters
                            .clear(shards.firstWord(shard), shards.endWord(shard));
                }
            }
        }
    }

    private void deliver(int number, Superstep command, Direction[] directions) {
        Worker worker = workers[number];
        int parts = delivery.parts(directions);
        pieces(
                number,
                nextDelivery,
                parts,
                part -> {
                    int superstep = command.superstep();
                    delivery.deliver(worker, part, superstep, directions, command.mirrors());
                });
        worker.flush();
    }

    private void pullHubs(int number, Superstep command, Direction[] directions) {
        pieces(
                number,
                nextHub,
                hubs.pieces(directions),
                piece -> hubs.pull(piece, command.superstep(), directions));
    }

    /**
     * Does pieces until none is left, and lets workers of other jobs have their turns in between.
     */
    private void pieces(int number, AtomicInteger next, int count, IntConsumer piece) {
        CoreShares.Turn turn = context.node.team().turn(number);
        turn.begin();
        try {
            int index;
            while ((index = next.getAndIncrement()) < count) {
                context.stop.check();
                piece.accept(index);
                turn.next();
            }
        } finally {
            turn.end();
        }
    }

    /**
     * All workers have flushed: tells the others, even if something failed here, so that nobody
     * waits in vain.
     */
    private void tellDelivered(Worker worker, Superstep command) {
        byte kind = failure.first().isEmpty() ? BlockLayout.DELIVERED : BlockLayout.ABANDONED;
        NetException unheard = null;
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                try {
                    worker.outbox(slave).signal(kind, command.superstep());
                } catch (NetException e) {
                    unheard = e;
                    kind = BlockLayout.ABANDONED;
                }
            }
        }
        if (unheard != null) {
            throw unheard;
        }
        told[(command.superstep() - 1) & 1] = true;
    }

    private void awaitDelivered(Superstep command) {
        receiver.deliveries()
                .take(command.superstep(), slaves.count() - 1L, context.stop, connections);
        if (receiver.isAbandoned()) {
            failure.abandon("another slave has failed");
        }
    }

    private void compute(int number, Superstep command, Direction[] directions) {
        Worker worker = workers[number];
        boolean all = alwaysActive || command.activateAll();
        int aggregates = context.aggregates.count();
        pieces(
                number,
                nextCompute,
                ownShards.length,
                own -> {
                    long begin = System.nanoTime();
                    worker.enterShard(ownShards[own]);
                    loops[number].compute(ownShards[own], command.superstep(), directions, all);
                    worker.leaveShard(partials, own * aggregates);
                    worker.timed(ownShards[own], System.nanoTime() - begin);
                });
        worker.flush();
    }

    /** The graph is about to change: what was broadcast comes to its receivers before that. */
    private void receive(int number, Superstep command, Direction[] directions) {
        pieces(
                number,
                nextCompute,
                ownShards.length,
                own -> loops[number].receive(ownShards[own], command.superstep(), directions));
    }

    private void together(int number, int superstep) {
        loops[number].together(workers.length, superstep);
        synchronized (partialsLock) {
            workers[number].addPartials(context.aggregates, partials, 0);
        }
        workers[number].flush();
    }

    private void guarded(Worker worker, int number, Superstep command, Runnable step) {
        if (failure.first().isEmpty()) {
            always(worker, number, command, step);
        }
    }

    /** Whatever a step throws is noted, so that the worker comes to the next barrier. */
    private void always(Worker worker, int number, Superstep command, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) { // checked ones, too: generics can hide them
            failure.note(
                    e,
                    () ->
                            "%s failed in superstep %d at %s"
                                    .formatted(
                                            program(),
                                            command.superstep(),
                                            loops[number].place(worker.program())));
            context.stop.raise(); // behind the reason, which others must not take the place of
        }
    }

    private SuperstepReport report(int superstep, boolean deliverOnly, @Nullable Throwable thrown) {
        if (!deliverOnly) {
            records.end(superstep);
        }
        if (thrown != null) {
            failure.note(thrown, this::program);
        }
        int channels = context.channels.size();
        long[] sentTo = new long[slaves.count()];
        long[] broadcasts = new long[channels];
        long[] broadcastEdges = new long[channels];
        long computed = 0;
        long sent = 0;
        long published = 0;
        long settledEdges = restoredSettledEdges;
        long bytes = 0;
        Worker slowest = workers[0];
        for (Worker worker : workers) {
            bytes += worker.sentBytes();
            slowest = worker.slowestNanos() > slowest.slowestNanos() ? worker : slowest;
            computed += worker.computed();
            sent += worker.sent();
            published += worker.published();
            settledEdges += worker.cursor.settledEdges();
            for (int slave = 0; slave < sentTo.length; slave++) {
                sentTo[slave] += worker.sentTo(slave);
            }
            for (int c = 0; c < channels; c++) {
                ChannelHandle handle = worker.channels.get(c);
                broadcasts[c] += handle.broadcasts();
                broadcastEdges[c] += handle.broadcastEdges();
            }
        }
        return new SuperstepReport(
                failure.first(),
                computed,
                sent,
                sentTo,
                broadcasts,
                broadcastEdges,
                published,
                settledEdges,
                bytes,
                slowest.slowestShard(),
                slowest.slowestNanos(),
                ownShards,
                partials,
                changes().stream().mapToLong(ChangeList::count).sum());
    }

    /** What the program has asked for to be changed in the topology since it was prepared. */
    public List<ChangeList> changes() {
        return Arrays.stream(workers).filter(Worker::changesTopology).map(Worker::changes).toList();
    }

    /** Raised when the run is to stop. */
    public StopSign stopSign() {
        return context.stop;
    }

    /** The graph that the run works on. */
    public StoredGraph graph() {
        return context.graph;
    }
}
