package org.starling.compute.internal.group;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.catalogue.LeavingChunks;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.MadeRemoval;
import org.starling.compute.internal.graph.MadeRemoval.Removal;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.BuildMessage.BuildProjection;
import org.starling.compute.internal.protocol.BuildMessage.BuildRead;
import org.starling.compute.internal.protocol.BuildMessage.BuildStep;
import org.starling.compute.internal.protocol.BuildMessage.EndBuild;
import org.starling.compute.internal.protocol.BuildMessage.MakeRows;
import org.starling.compute.internal.protocol.ComputeMessage.Command;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.JarMessage.ReleaseCode;
import org.starling.compute.internal.protocol.OutputMessage.EndWriting;
import org.starling.compute.internal.protocol.OutputMessage.WriteParts;
import org.starling.compute.internal.protocol.OutputMessage.WriteTable;
import org.starling.compute.internal.protocol.QueryMessage.AskColumns;
import org.starling.compute.internal.protocol.QueryMessage.CopyShards;
import org.starling.compute.internal.protocol.QueryMessage.FindIds;
import org.starling.compute.internal.protocol.QueryMessage.FindNumbers;
import org.starling.compute.internal.protocol.QueryMessage.FindOrdinal;
import org.starling.compute.internal.protocol.QueryMessage.FindTexts;
import org.starling.compute.internal.protocol.QueryMessage.LetGo;
import org.starling.compute.internal.protocol.QueryMessage.MeasureGraph;
import org.starling.compute.internal.protocol.QueryMessage.MeasureKept;
import org.starling.compute.internal.protocol.QueryMessage.ReadVertices;
import org.starling.compute.internal.protocol.QueryMessage.RemoveMade;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.QueryMessage.WithholdRows;
import org.starling.compute.internal.protocol.RecoveryMessage.Attach;
import org.starling.compute.internal.protocol.RecoveryMessage.BeginTask;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.EndJob;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.compute.internal.protocol.RecoveryMessage.LeaveJob;
import org.starling.compute.internal.protocol.RecoveryMessage.MoveShards;
import org.starling.compute.internal.protocol.RecoveryMessage.ReleaseCheckpoint;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreRun;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreStates;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveManifest;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveRun;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveStates;
import org.starling.compute.internal.protocol.RecoveryMessage.SetColumns;
import org.starling.compute.internal.protocol.RunMessage.EndRun;
import org.starling.compute.internal.protocol.RunMessage.FindValues;
import org.starling.compute.internal.protocol.RunMessage.JoinColumn;
import org.starling.compute.internal.protocol.RunMessage.PrepareRun;
import org.starling.compute.internal.protocol.RunMessage.StopRun;
import org.starling.compute.internal.protocol.RunMessage.Superstep;
import org.starling.compute.internal.protocol.RunMessage.SuperstepReport;
import org.starling.compute.internal.protocol.StructureMessage.SweepParts;
import org.starling.compute.internal.protocol.TopologyMessage.FindNamed;
import org.starling.compute.internal.protocol.TopologyMessage.ListStates;
import org.starling.compute.internal.protocol.TopologyMessage.MakeVersion;
import org.starling.compute.internal.protocol.TopologyMessage.PackVersion;
import org.starling.compute.internal.protocol.TopologyMessage.SaveDescriptor;
import org.starling.compute.internal.protocol.TopologyMessage.SendChanges;
import org.starling.compute.internal.query.PointService;
import org.starling.compute.internal.run.CoreShares;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.compute.jars.JarRules;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.net.NodeLostException;
import org.starling.net.RecordMessage;
import org.starling.net.Responder;
import org.starling.store.ChunkService;
import org.starling.store.JobInfo;
import org.starling.store.StoreNode;

/**
 * A slave: does what the masters of jobs say, each with a team of workers and over graphs of its
 * own ({@link SlaveJob}). What all jobs share is the node's cores ({@link CoreShares}), its memory
 * and the trouble of work that does not stop. Owned by whoever started the node; any thread.
 */
public final class SlaveService implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(SlaveService.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    /**
     * A job from which nothing was heard for so long may have ended unheard, and so often that is
     * looked at.
     */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final StoreNode store;
    private final int threads;
    private final LongSupplier freeBytes;
    private final StuckWork stuck;
    private final JarLoaders loaders;
    private final Supplier<? extends BroughtFiles> brought;
    private final CoreShares cores;
    private final PointService points;
    private final ZeroedMemory memory = new ZeroedMemory();
    private final Map<Long, SlaveJob> jobs = new ConcurrentHashMap<>();
    private final RecentJobs ended = new RecentJobs();
    private final Withholding withholding;
    private final GraphRemoval removal;
    private final MadeRemoval made;

    /** Whether somebody will look for jobs that have ended unheard. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private final AtomicBoolean closed = new AtomicBoolean();

    /** What a command does; may fail in ways that the master should hear of. */
    private interface Answer<Q, R> {
        R to(Q command) throws IOException;
    }

    /** What a command does to its job. */
    private interface Work<Q, R> {
        R apply(SlaveJob job, Q command) throws IOException;
    }

    /**
     * Starts the service on a node.
     *
     * @param threads number of workers
     * @param replace hears why this process must make way for a new one, which then takes its
     *     place; null if nobody can do that. Any thread
     */
    public SlaveService(StoreNode store, int threads, @Nullable Consumer<String> replace) {
        this(
                store,
                threads,
                replace,
                new FreeMemory()::bytes,
                loaders(store),
                () -> BroughtFiles.HERE);
    }

    /**
     * Starts the service on a node, with loaders that others on it use, too.
     *
     * @param threads number of workers
     * @param replace as above
     * @param brought for a job that reads files which were sent along
     */
    public SlaveService(
            StoreNode store,
            int threads,
            @Nullable Consumer<String> replace,
            JarLoaders loaders,
            Supplier<? extends BroughtFiles> brought) {
        this(store, threads, replace, new FreeMemory()::bytes, loaders, brought);
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
            LongSupplier freeBytes,
            JarLoaders loaders,
            Supplier<? extends BroughtFiles> brought) {
        this.store = store;
        this.brought = brought;
        this.threads = threads;
        this.loaders = loaders;
        this.freeBytes = freeBytes;
        this.cores = new CoreShares(threads);
        this.stuck = new StuckWork(store.nodeId(), replace);
        this.points = new PointService(store, threads);
        this.withholding = new Withholding(store.chunks());
        this.removal = new GraphRemoval(store.chunks(), store.nodeId(), withholding);
        this.made = new MadeRemoval(store.names(), store.chunks(), store.nodeId());
        register();
    }

    private static JarLoaders loaders(StoreNode store) {
        return new JarLoaders(JarRules.DEFAULT, new JarStore(store)::fetch);
    }

    /** Id of the node. */
    public int nodeId() {
        return store.nodeId();
    }

    /** Removes what attempts have made, on this node. */
    MadeRemoval made() {
        return made;
    }

    /** Whether no job has anything here. */
    public boolean isFree() {
        return jobs.isEmpty();
    }

    /** Number of jobs that have something here. */
    int jobs() {
        return jobs.size();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        points.close();
        withholding.close();
        jobs.values().forEach(SlaveJob::stopAll);
        boolean idle = !stuck.isThere();
        for (SlaveJob job : jobs.values()) {
            if (!job.awaitWorkersEnd(idle ? STOP_TIMEOUT : Duration.ZERO)) {
                if (!stuck.isThere()) {
                    LOG.warn("closing: {}", stuck.found(job.toString(), STOP_TIMEOUT).getMessage());
                }
                idle = false;
            }
        }
        if (!idle) {
            return; // what it works in must stay
        }
        for (SlaveJob job : jobs.values()) {
            if (!job.close(STOP_TIMEOUT)) {
                LOG.warn("closing: {} has not ended, and its memory stays", job);
                idle = false;
            }
        }
        if (idle) {
            memory.close();
        }
    }

    /** Ends jobs that the directory says have ended, though no master came to tell. */
    void endUnheardOf(Duration silence) {
        if (jobs.values().stream().noneMatch(job -> job.isSilentFor(silence))) {
            return;
        }
        Set<Long> alive =
                store.jobs().jobs().stream()
                        .filter(job -> !job.status().isEnded())
                        .map(JobInfo::id)
                        .collect(Collectors.toSet());
        for (SlaveJob job : jobs.values()) {
            if (job.number() != Attempt.EMBEDDED
                    && !alive.contains(job.number())
                    && job.isSilentFor(silence)) {
                LOG.info("job {} has ended, but nobody has told", job.number());
                long term = Attempt.term(job.number(), Attempt.MAX_ATTEMPTS);
                end(job.number(), term);
            }
        }
    }

    private StatusReport status() {
        checkOpen();
        stuck.checkPresence();
        return new StatusReport(
                ProcessMemory.peakResidentBytes(),
                freeBytes.getAsLong(),
                memory.takenBytes(),
                threads,
                store.chunks().statistics().heapUsedBytes());
    }

    /** Whoever does not answer is waited for until it is lost, and it will be in a moment. */
    private void checkOpen() {
        if (closed.get()) {
            throw new NodeLostException(nodeId(), "node " + nodeId() + " ends");
        }
    }

    private void register() {
        Network network = store.network();
        network.handleRaw(
                BlockLayout.RUN_BLOCK, (from, address, bytes) -> onRunBlock(address, bytes));
        network.handleRaw(BlockLayout.BUILD_BLOCK, this::onBuildBlock);
        network.serveAsync(
                RecordMessage.type(Superstep.class),
                Execution.INLINE,
                (from, command, responder) -> superstep(command, responder));
        serve(BuildRead.class, SlaveJob::buildRead);
        serve(BuildProjection.class, SlaveJob::buildProjection);
        serve(BuildStep.class, SlaveJob::buildStep);
        serve(MakeRows.class, SlaveJob::makeRows);
        serve(EndBuild.class, SlaveJob::endBuild);
        serve(PrepareRun.class, SlaveJob::prepareRun);
        serve(JoinColumn.class, SlaveJob::joinColumn);
        serve(FindValues.class, SlaveJob::findValues);
        serve(EndRun.class, SlaveJob::endRun);
        serve(SaveRun.class, SlaveJob::saveRun);
        serve(RestoreRun.class, SlaveJob::restoreRun);
        serve(SendChanges.class, SlaveJob::sendChanges);
        serve(FindNamed.class, SlaveJob::findNamed);
        serve(MakeVersion.class, SlaveJob::makeVersion);
        serve(PackVersion.class, SlaveJob::packVersion);
        serve(SaveDescriptor.class, SlaveJob::saveDescriptor);
        serve(ListStates.class, (job, command) -> job.graphs().listStates(command));
        serve(ReadVertices.class, (job, command) -> job.graphs().readVertices(command));
        serve(FindOrdinal.class, SlaveJob::findOrdinal);
        serve(AskColumns.class, SlaveJob::columns);
        serve(FindIds.class, SlaveJob::findIds);
        serve(FindTexts.class, SlaveJob::findTexts);
        serve(FindNumbers.class, SlaveJob::findNumbers);
        serve(WriteParts.class, SlaveJob::writeParts);
        serve(WriteTable.class, SlaveJob::writeTable);
        serve(EndWriting.class, SlaveJob::endWriting);
        serve(SweepParts.class, SlaveJob::sweep);
        serve(MeasureGraph.class, SlaveJob::measure);
        serve(SaveStates.class, (job, command) -> job.graphs().saveStates(command));
        serve(SaveManifest.class, (job, command) -> job.graphs().saveManifest(command));
        serve(MoveShards.class, (job, command) -> job.graphs().copyShards(command));
        serve(RestoreStates.class, (job, command) -> job.graphs().restoreStates(command));
        serve(KeepCheckpoints.class, (job, command) -> job.graphs().keep(command));
        serve(BeginTask.class, SlaveJob::beginTask);
        serve(
                RemoveGraph.class,
                (_, command) -> {
                    points.letGo(command.descriptorChunk());
                    removal.remove(command.descriptorChunk());
                    return new Done();
                });
        serve(SetColumns.class, (job, command) -> job.graphs().setColumns(command));
        serve(ReleaseCheckpoint.class, (job, command) -> job.graphs().release(command));
        serveKept();
        network.serve(
                RecordMessage.type(RemoveMade.class),
                Execution.WORKER,
                (from, command) -> removeMade(command));
        answer(Attach.class, command -> job(command.term()).awaitAndAttach(command));
        answer(Detach.class, command -> job(command.term()).detach(command));
        answer(StopRun.class, this::stopRun);
        answer(ReleaseCode.class, command -> job(command.term()).releaseCode(command));
        answer(LeaveJob.class, this::leave);
        answer(EndJob.class, this::end);
        network.serve(
                RecordMessage.type(Status.class), Execution.WORKER, (from, command) -> status());
    }

    /** What concerns kept graphs outside of jobs has no term. */
    private void serveKept() {
        KeptShards kept = new KeptShards(nodeId(), store.chunks());
        Network network = store.network();
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
        network.serve(
                RecordMessage.type(WithholdRows.class),
                Execution.WORKER,
                (from, command) -> withhold(command));
    }

    private Done withhold(WithholdRows command) {
        ChunkService chunks = store.chunks();
        for (int i = 0; i < command.witnesses().length; i++) {
            long witness = command.witnesses()[i];
            withholding.hold(
                    new Withholding.Leader(witness, command.token()),
                    command.firsts()[i],
                    command.counts()[i],
                    () -> !LeavingChunks.isMarked(chunks, witness, command.token()));
        }
        return new Done();
    }

    private Done letGo(LetGo command) {
        points.letGo(command.descriptorChunk());
        jobs.values().forEach(job -> job.letGo(command.descriptorChunk()));
        return new Done();
    }

    /** Of jobs that may be over. */
    private Numbers removeMade(RemoveMade command) {
        checkOpen();
        AtomicLong left = new AtomicLong();
        MadeRecords.each(
                command.names().stream().map(MadeRecord::of).flatMap(Optional::stream).toList(),
                record -> {
                    if (made.remove(record) == Removal.LATER) {
                        left.incrementAndGet();
                    }
                });
        return new Numbers(left.get());
    }

    /** Lets a command do its work beside others of its job. */
    private <R extends RecordMessage, Q extends Command<R>> void serve(
            Class<Q> command, Work<Q, R> work) {
        answer(
                command,
                c -> {
                    SlaveJob job = job(c.term());
                    return job.shared(c.term(), () -> work.apply(job, c));
                });
    }

    private <R extends RecordMessage, Q extends Command<R>> void answer(
            Class<Q> command, Answer<Q, R> answer) {
        store.network()
                .serve(
                        RecordMessage.type(command),
                        Execution.WORKER,
                        (from, question) -> {
                            try {
                                checkOpen();
                                stuck.check();
                                return answer.to(question);
                            } catch (IOException e) {
                                throw CommandFailedException.of(SlaveJob.unreadable(e));
                            } catch (RuntimeException | OutOfMemoryError e) {
                                throw CommandFailedException.of(e);
                            }
                        });
    }

    /** The job of a term, which begins here with its first command. */
    private SlaveJob job(long term) {
        SlaveJob job = jobs.computeIfAbsent(Attempt.job(term), this::begin);
        if (job.number() != Attempt.EMBEDDED) {
            lookLater();
        }
        return job;
    }

    private SlaveJob begin(long number) {
        if (ended.contains(number)) {
            throw new StaleMasterException("job " + number + " has ended");
        }
        String name = "worker-" + nodeId() + "-job-" + number;
        WorkerTeam team = new WorkerTeam(name, threads, cores.open(1));
        NodeContext node = NodeContext.of(store, team, memory, made);
        return new SlaveJob(number, node, stuck, loaders, brought.get());
    }

    /** May come at any time, behind the end of what it stops, too; no job begins with it. */
    private Done stopRun(StopRun command) {
        SlaveJob job = jobs.get(Attempt.job(command.term()));
        if (job != null) {
            job.stopRun(command);
        }
        return new Done();
    }

    private Done end(EndJob command) {
        end(Attempt.job(command.term()), command.term());
        return new Done();
    }

    /** A job goes on without this node; it may come back to it. */
    private Done leave(LeaveJob command) throws IOException {
        SlaveJob job = jobs.get(Attempt.job(command.term()));
        if (job != null) {
            job.leave(command);
            jobs.remove(job.number(), job);
        }
        return new Done();
    }

    private void end(long number, long term) {
        SlaveJob job = jobs.get(number);
        if (job != null) {
            job.end(term);
        }
        ended.add(number); // from here on none begins
        SlaveJob late = jobs.remove(number);
        if (late != null && late != job) { // its first command came meanwhile
            late.end(term);
        }
    }

    /** As long as there are jobs, it is looked again and again whether they have ended. */
    private void lookLater() {
        if (looking.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(
                            SILENCE.toMillis(),
                            TimeUnit.MILLISECONDS,
                            look -> Thread.ofVirtual().name("ended jobs").start(look))
                    .execute(this::look);
        }
    }

    private void look() {
        looking.set(false);
        if (closed.get()) {
            return;
        }
        try {
            endUnheardOf(SILENCE);
        } catch (RuntimeException later) { // whatever it is, it is looked again
            LOG.info("jobs that may have ended can't be let go of: {}", later.getMessage());
        }
        if (jobs.keySet().stream().anyMatch(number -> number != Attempt.EMBEDDED)) {
            lookLater();
        }
    }

    private void onRunBlock(long address, int bytes) {
        SlaveJob job = jobs.get(Attempt.job(Attempt.term(BlockLayout.owner(address))));
        if (job != null) {
            job.onRunBlock(address, bytes);
        }
    }

    private void onBuildBlock(int from, long address, int bytes) {
        SlaveJob job = jobs.get(Attempt.job(Attempt.term(BlockLayout.owner(address))));
        if (job != null) {
            job.onBuildBlock(from, address, bytes);
        }
    }

    private void superstep(Superstep command, Responder<SuperstepReport> responder) {
        try {
            checkOpen();
            stuck.check();
            SlaveJob job = jobs.get(Attempt.job(command.term()));
            if (job == null) {
                throw new IllegalStateException("run " + command.run() + " is not known here");
            }
            job.superstep(command, responder);
        } catch (RuntimeException e) {
            responder.fail(CommandFailedException.of(e));
        }
    }
}
