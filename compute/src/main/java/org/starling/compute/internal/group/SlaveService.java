package org.starling.compute.internal.group;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.build.SlaveBuild;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.BuildMessage.BuildRead;
import org.starling.compute.internal.protocol.BuildMessage.BuildStep;
import org.starling.compute.internal.protocol.BuildMessage.EndBuild;
import org.starling.compute.internal.protocol.BuildMessage.MakeRows;
import org.starling.compute.internal.protocol.BuildMessage.PartReport;
import org.starling.compute.internal.protocol.ComputeMessage.Command;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.JarMessage.ReleaseCode;
import org.starling.compute.internal.protocol.QueryMessage.CopyShards;
import org.starling.compute.internal.protocol.QueryMessage.FindIds;
import org.starling.compute.internal.protocol.QueryMessage.FindOrdinal;
import org.starling.compute.internal.protocol.QueryMessage.LetGo;
import org.starling.compute.internal.protocol.QueryMessage.MeasureGraph;
import org.starling.compute.internal.protocol.QueryMessage.MeasureKept;
import org.starling.compute.internal.protocol.QueryMessage.ReadVertices;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.RecoveryMessage.Attach;
import org.starling.compute.internal.protocol.RecoveryMessage.BeginTask;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.compute.internal.protocol.RecoveryMessage.NoteMade;
import org.starling.compute.internal.protocol.RecoveryMessage.ReleaseCheckpoint;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreRun;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreStates;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveManifest;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveRun;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveStates;
import org.starling.compute.internal.protocol.RecoveryMessage.Saved;
import org.starling.compute.internal.protocol.RecoveryMessage.SetColumns;
import org.starling.compute.internal.protocol.RecoveryMessage.SyncChunks;
import org.starling.compute.internal.protocol.RunMessage.EndReport;
import org.starling.compute.internal.protocol.RunMessage.EndRun;
import org.starling.compute.internal.protocol.RunMessage.PrepareReport;
import org.starling.compute.internal.protocol.RunMessage.PrepareRun;
import org.starling.compute.internal.protocol.RunMessage.Superstep;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.SlaveRun;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.JobCode;
import org.starling.graph.FileTrouble;
import org.starling.graph.GraphShare;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramFactory;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.net.RecordMessage;
import org.starling.net.Responder;
import org.starling.store.StoreNode;

/**
 * A slave: does what the master says, with a team of workers, over the graphs of this node.
 *
 * <p>The master sends one command at a time, so commands need no locks among themselves; they run
 * on the network's workers, supersteps and blocks on receiving threads. Owned by whoever started
 * the node.
 */
public final class SlaveService implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(SlaveService.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final NodeContext node;
    private final LongSupplier freeBytes;
    private final SlaveGraphs graphs;
    private final StuckWork stuck;
    private final Commands commands;
    private final SlaveCode code;
    private final Map<Long, SlaveRun> runs = new ConcurrentHashMap<>();
    private final Map<Long, SlaveBuild> builds = new ConcurrentHashMap<>();

    private final MadeChunks madeByBuilds;

    /**
     * Largest number of a build or run that has ended: a cancelled command may begin behind its own
     * end. Written by the one command that ends something, read by those that begin.
     */
    private volatile long lastEnded;

    /** Work that may fail in ways that the master should hear of. */
    private interface Work<Q, R> {
        R apply(Q command) throws IOException;
    }

    /**
     * Starts the service on a node.
     *
     * @param threads number of workers
     * @param replace hears why this process must make way for a new one, which then takes its
     *     place; null if nobody can do that. Any thread
     */
    public SlaveService(StoreNode store, int threads, @Nullable Consumer<String> replace) {
        this(store, threads, replace, new FreeMemory()::bytes, loaders(store));
    }

    /**
     * Starts the service on a node, with loaders that others on it use, too.
     *
     * @param threads number of workers
     * @param replace as above
     */
    public SlaveService(
            StoreNode store, int threads, @Nullable Consumer<String> replace, JarLoaders loaders) {
        this(store, threads, replace, new FreeMemory()::bytes, loaders);
    }

    /**
     * Starts the service on a node whose free memory somebody else knows.
     *
     * @param freeBytes memory that runs may still take; asked by any thread
     */
    SlaveService(
            StoreNode store,
            int threads,
            @Nullable Consumer<String> replace,
            LongSupplier freeBytes) {
        this(store, threads, replace, freeBytes, loaders(store));
    }

    private SlaveService(
            StoreNode store,
            int threads,
            @Nullable Consumer<String> replace,
            LongSupplier freeBytes,
            JarLoaders loaders) {
        this.freeBytes = freeBytes;
        this.stuck = new StuckWork(store.nodeId(), replace);
        this.commands =
                new Commands(
                        this::stopAll,
                        this::forgetAll,
                        what -> stuck.found(what, StuckWork.COMMAND_PATIENCE));
        this.node =
                new NodeContext(
                        store.nodeId(),
                        store.network(),
                        store.chunks(),
                        new WorkerTeam("worker-" + store.nodeId(), threads),
                        new ZeroedMemory());
        this.graphs = new SlaveGraphs(node);
        this.madeByBuilds = new MadeChunks(node, true);
        this.code = new SlaveCode(loaders, node.team(), stuck);
        register();
    }

    private static JarLoaders loaders(StoreNode store) {
        return new JarLoaders(JarRules.DEFAULT, new JarStore(store)::fetch);
    }

    /** Id of the node. */
    public int nodeId() {
        return node.node();
    }

    /** Chunks of checkpoints that this slave is in charge of. */
    int checkpointChunks() {
        return graphs.checkpoints().size();
    }

    @Override
    public void close() {
        stopAll();
        node.team().close();
        if (stuck.isThere() || !node.team().awaitEnd(STOP_TIMEOUT)) {
            if (!stuck.isThere()) {
                LOG.warn("closing: {}", stuck.found("work", STOP_TIMEOUT).getMessage());
            }
            return; // what it works in must stay
        }
        runs.values().forEach(SlaveRun::close);
        builds.values().forEach(SlaveService::closeBuild);
        graphs.closeAll();
        code.releaseAll();
        node.memory().close();
    }

    private StatusReport status() {
        stuck.checkPresence();
        return new StatusReport(
                ProcessMemory.peakResidentBytes(),
                freeBytes.getAsLong(),
                node.memory().takenBytes(),
                node.team().size());
    }

    private void stopAll() {
        runs.values().forEach(SlaveRun::stop);
        builds.values().forEach(SlaveBuild::stop);
    }

    /** A new master leads: what older ones' commands made is of no use to it. */
    private void forgetAll() {
        for (Long number : List.copyOf(runs.keySet())) {
            endRun(new EndRun(number, false));
        }
        for (Long number : List.copyOf(builds.keySet())) {
            stopBuild(number);
            madeByBuilds.remove(build -> build == number);
        }
        graphs.closeAll();
        code.releaseAll();
    }

    private static void closeBuild(SlaveBuild build) {
        if (build.gate().shut(STOP_TIMEOUT)) {
            build.close();
        }
    }

    private void register() {
        Network network = node.network();
        network.handleRaw(
                BlockLayout.RUN_BLOCK, (from, address, bytes) -> onRunBlock(address, bytes));
        network.handleRaw(BlockLayout.BUILD_BLOCK, this::onBuildBlock);
        network.serveAsync(
                RecordMessage.type(Superstep.class),
                Execution.INLINE,
                (from, command, responder) -> superstep(command, responder));
        serve(BuildRead.class, this::buildRead);
        serve(BuildStep.class, c -> inBuild(c.build(), build -> new Numbers(build.step(c))));
        serve(MakeRows.class, c -> inBuild(c.build(), build -> build.makeRows(c.replicated())));
        serve(EndBuild.class, this::endBuild);
        serve(PrepareRun.class, this::prepareRun);
        serve(EndRun.class, this::endRun);
        serve(SaveRun.class, this::saveRun);
        serve(RestoreRun.class, this::restoreRun);
        serve(ReadVertices.class, graphs::readVertices);
        serve(FindOrdinal.class, this::findOrdinal);
        serve(FindIds.class, this::findIds);
        serve(MeasureGraph.class, this::measure);
        serve(SaveStates.class, graphs::saveStates);
        serve(SaveManifest.class, graphs::saveManifest);
        serve(RestoreStates.class, graphs::restoreStates);
        serve(KeepCheckpoints.class, graphs::keep);
        serve(BeginTask.class, this::beginTask);
        serveAlone(ReleaseCode.class, this::releaseCode);
        serve(RemoveGraph.class, graphs::removeGraph);
        serve(SetColumns.class, graphs::setColumns);
        serve(ReleaseCheckpoint.class, graphs::release);
        serve(SyncChunks.class, _ -> graphs.sync());
        serveKept();
        answer(Attach.class, this::awaitAndAttach);
        serveAlone(Detach.class, command -> graphs.detach(command.graph()));
        network.serve(
                RecordMessage.type(NoteMade.class),
                Execution.INLINE,
                (from, note) -> noteMade(note));
        network.serve(
                RecordMessage.type(Status.class), Execution.WORKER, (from, command) -> status());
    }

    /** What concerns kept graphs outside of jobs has no term. */
    private void serveKept() {
        KeptShards kept = new KeptShards(node.node(), node.chunks());
        Network network = node.network();
        network.serve(
                RecordMessage.type(MeasureKept.class),
                Execution.WORKER,
                (from, command) -> kept.measure(command));
        network.serve(
                RecordMessage.type(CopyShards.class),
                Execution.WORKER,
                (from, command) -> kept.copy(command));
        network.serve(
                RecordMessage.type(LetGo.class),
                Execution.WORKER,
                (from, command) -> letGo(command));
    }

    private Done letGo(LetGo command) {
        if (graphs.attached(command.descriptorChunk()).isPresent()) {
            commands.between(
                    () -> graphs.attached(command.descriptorChunk()).ifPresent(graphs::detach));
        }
        return new Done();
    }

    private <R extends RecordMessage, Q extends Command<R>> void serve(
            Class<Q> command, Work<Q, R> work) {
        answer(command, c -> commands.shared(c.term(), () -> work.apply(c)));
    }

    private <R extends RecordMessage, Q extends Command<R>> void serveAlone(
            Class<Q> command, Work<Q, R> work) {
        answer(command, c -> commands.alone(c.term(), () -> work.apply(c)));
    }

    private <R extends RecordMessage, Q extends Command<R>> void answer(
            Class<Q> command, Work<Q, R> work) {
        node.network()
                .serve(
                        RecordMessage.type(command),
                        Execution.WORKER,
                        (from, question) -> {
                            try {
                                stuck.check();
                                return work.apply(question);
                            } catch (IOException e) {
                                throw CommandFailedException.of(unreadable(e));
                            } catch (RuntimeException | OutOfMemoryError e) {
                                throw CommandFailedException.of(e);
                            }
                        });
    }

    private void onRunBlock(long address, int bytes) {
        SlaveRun run = runs.get(BlockLayout.owner(address));
        if (run != null) { // a run that has ended: blocks of a cancelled superstep
            run.onBlock(address, bytes);
        }
    }

    private void onBuildBlock(int from, long address, int bytes) {
        SlaveBuild build = builds.get(BlockLayout.owner(address));
        if (build != null && build.gate().enter()) {
            try {
                build.onBlock(from, address, bytes);
            } finally {
                build.gate().leave();
            }
        }
    }

    private void superstep(Superstep command, Responder<SuperstepReport> responder) {
        try {
            stuck.check();
            commands.quick(command.term(), () -> begin(command, responder));
        } catch (RuntimeException e) {
            responder.fail(CommandFailedException.of(e));
        }
    }

    private void begin(Superstep command, Responder<SuperstepReport> responder) {
        CompletableFuture<SuperstepReport> report = run(command.run()).superstep(command);
        report.thenAccept(responder::respond)
                .exceptionally(thrown -> {
                    responder.fail(thrown);
                    return null;
                })
                .isDone(); // answers when it is
    }

    private Done beginTask(BeginTask command) {
        FaultPoint.task(FaultPoint.SLAVE, command.task());
        return new Done();
    }

    private PartReport buildRead(BuildRead command) throws IOException {
        JobCode jobs = code.of(command.term(), command.jars());
        SlaveBuild build =
                code.call(jobs, "source " + command.source(), () -> newBuild(command, jobs));
        builds.put(command.build(), build);
        if (command.build() <= lastEnded && builds.remove(command.build()) != null) {
            build.close();
            throw new JobCancelledException("the build has ended");
        }
        return inBuild(command.build(), made -> made.read(command.parts()));
    }

    private SlaveBuild newBuild(BuildRead command, JobCode jobs) {
        Parameters parameters = ParameterCodec.read(command.parameters());
        try {
            return new SlaveBuild(
                    command.build(),
                    node,
                    new Slaves(command.slaves(), node.node()),
                    madeByBuilds,
                    jobs.edgeSource(command.source()).create(parameters),
                    command.options());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static InvalidInputException unreadable(IOException e) {
        return new InvalidInputException("cannot read: " + FileTrouble.reason(e), e);
    }

    private Done releaseCode(ReleaseCode command) {
        code.release(command.term());
        return new Done();
    }

    private Numbers endBuild(EndBuild command) {
        lastEnded = Math.max(lastEnded, command.build());
        stopBuild(command.build());
        if (command.succeeded()) {
            madeByBuilds.forget(command.build());
            return new Numbers();
        }
        LongPredicate failed =
                build ->
                        build == command.build()
                                || Attempt.term(build) < Attempt.term(command.build());
        madeByBuilds.remove(failed);
        return new Numbers(madeByBuilds.takeForeign(failed));
    }

    private void stopBuild(long number) {
        SlaveBuild build = builds.get(number);
        if (build != null) {
            build.stop();
            stuck.await("a source of edges", build.gate()::shut, node.team());
            builds.remove(number);
            build.close();
        }
    }

    /** Of what is over nobody asks any more, so its maker is not to rely on this slave. */
    private Done noteMade(NoteMade note) {
        if (note.ofBuild() && note.attempt() <= lastEnded) {
            throw new JobCancelledException("the build has ended");
        }
        (note.ofBuild() ? madeByBuilds : graphs.checkpoints()).heard(note);
        return new Done();
    }

    private Done awaitAndAttach(Attach command) throws IOException {
        commands.shared(command.term(), () -> graphs.awaitShards(command));
        return commands.alone(command.term(), () -> attach(command));
    }

    private Done attach(Attach command) {
        SlaveBuild build = builds.get(command.build());
        return graphs.attach(command, build == null ? null : build.takeInputDegrees());
    }

    private PrepareReport prepareRun(PrepareRun command) {
        JobCode jobs = code.of(command.term(), command.jars());
        SlaveRun run = code.call(jobs, "program " + command.program(), () -> newRun(command, jobs));
        runs.put(command.run(), run);
        if (command.run() <= lastEnded && runs.remove(command.run()) != null) {
            run.end(false);
            run.close();
            throw new JobCancelledException("the run has ended");
        }
        return run.prepared();
    }

    private SlaveRun newRun(PrepareRun command, JobCode jobs) {
        ProgramFactory factory = jobs.program(command.program());
        Parameters parameters = ParameterCodec.read(command.parameters());
        return new SlaveRun(
                command.run(),
                graphs.graph(command.graph()),
                node,
                new Slaves(command.slaves(), node.node()),
                () -> factory.create(parameters),
                ParameterCodec.readFiles(command.outputs()),
                command.recordBytes());
    }

    private EndReport endRun(EndRun command) {
        lastEnded = Math.max(lastEnded, command.run());
        SlaveRun run = runs.get(command.run());
        if (run == null) {
            return new EndReport(new long[0], 0);
        }
        run.stop();
        stuck.await(run.program(), run::awaitEnd, node.team());
        runs.remove(command.run());
        EndReport report = run.end(command.succeeded());
        run.close();
        if (run.hasExhaustedHeap()) {
            code.exhaustedBy(run.program());
        }
        return report;
    }

    private Saved saveRun(SaveRun command) {
        return run(command.run())
                .save(
                        command.superstep(),
                        command.expected(),
                        command.checkpoint(),
                        graphs.checkpoints());
    }

    private Done restoreRun(RestoreRun command) {
        SlaveRun run = run(command.run());
        graphs.checkpoints().haveOwners(command.checkpoint(), command.chunks());
        for (int shard : run.ownShards()) {
            if (command.chunks()[shard] != 0) {
                graphs.checkpoints().add(command.checkpoint(), command.chunks()[shard], 1);
            }
        }
        run.restore(command.superstep(), command.chunks());
        return new Done();
    }

    private Numbers measure(MeasureGraph command) {
        GraphShare share = graphs.graph(command.graph()).share();
        return new Numbers(
                share.shards(),
                share.vertices(),
                share.storedNeighbours(),
                share.neighbourBytes(),
                share.vertexBytes());
    }

    private Numbers findOrdinal(FindOrdinal command) {
        return new Numbers(graphs.graph(command.graph()).ordinal(command.id()));
    }

    private Numbers findIds(FindIds command) {
        StoredGraph graph = graphs.graph(command.graph());
        return new Numbers(Arrays.stream(command.ordinals()).map(graph::id).toArray());
    }

    private SlaveRun run(long number) {
        SlaveRun run = runs.get(number);
        if (run == null) {
            throw new IllegalStateException("run " + number + " is not known here");
        }
        return run;
    }

    /** Does a step of a build, which nobody ends meanwhile. */
    private <R> R inBuild(long number, Function<SlaveBuild, R> step) {
        SlaveBuild build = builds.get(number);
        if (build == null || !build.gate().enter()) {
            throw new IllegalStateException("build " + number + " is not known here");
        }
        try {
            return step.apply(build);
        } finally {
            build.gate().leave();
        }
    }
}
