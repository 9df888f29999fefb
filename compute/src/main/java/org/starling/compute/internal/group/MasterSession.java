package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.BuildMessage.EndBuild;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.JarMessage.ReleaseCode;
import org.starling.compute.internal.protocol.QueryMessage.FindOrdinal;
import org.starling.compute.internal.protocol.QueryMessage.MeasureGraph;
import org.starling.compute.internal.protocol.QueryMessage.ReadVertices;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.QueryMessage.VertexValues;
import org.starling.compute.internal.protocol.RecoveryMessage.BeginTask;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.compute.internal.protocol.RecoveryMessage.SyncChunks;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.jars.JobCode;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.store.Durability;
import org.starling.store.StoreNode;

/**
 * The master: makes graphs and runs programs by leading the slaves from barrier to barrier, and
 * goes on when a slave is lost. Confined to the job's thread, but for {@link #cancel}.
 *
 * <p>Every operation that needs slaves is done by {@link RecoveryLoop}, which recovers from losses
 * and does it again.
 */
public final class MasterSession implements GraphSession {
    private static final Logger LOG = LogManager.getLogger(MasterSession.class);
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(2);

    /** Numbers of attempts in this process, whichever session they are of. */
    private static final AtomicInteger LAST_NUMBER = new AtomicInteger();

    private final StoreNode store;
    private final Group group;
    private final long term;
    private final Supplier<int[]> slaves;
    private final long memoryBytes;
    private final Checkpoints checkpoints;
    private final Recovery recovery;
    private final RecoveryLoop loop;
    private final OrphanedChunks orphans;
    private final TreeMap<String, KnownGraph> graphs = new TreeMap<>();
    private final KeptGraphs kept;
    private final ColumnPublisher columns;

    /** What building the graphs of the task under way has told. */
    private final Map<String, BuildResult> built = new HashMap<>();

    /** Descriptors of graphs that a failed build has left; removed before the next one. */
    private final List<Abandoned> abandoned = new ArrayList<>();

    /** Descriptors of graphs that this job has dropped but a new master could still need. */
    private final List<Long> dropped = new ArrayList<>();

    private final AtomicLong supersteps = new AtomicLong();
    private final AtomicLong messages = new AtomicLong();
    private JobListener listener = JobListener.SILENT;
    private JobCode code = JobCode.builtIn();
    private int task;
    private int runsOfTask;
    private volatile int superstep = -1;

    private record Abandoned(String graph, long chunk, boolean named) {}

    /**
     * A master over these slaves for as long as they live.
     *
     * @param memoryBytes memory of all slaves together
     */
    public MasterSession(StoreNode store, int[] slaves, long memoryBytes) {
        this(store, 0, 0, () -> slaves, memoryBytes, CheckpointOptions.DEFAULT);
    }

    private MasterSession(
            StoreNode store,
            long job,
            long term,
            Supplier<int[]> slaves,
            long memoryBytes,
            CheckpointOptions options) {
        this.store = store;
        this.term = term;
        this.slaves = slaves;
        this.memoryBytes = memoryBytes;
        this.group = new Group(store.network(), store.membership(), slaves.get());
        this.kept = new KeptGraphs(store, job, InstantSource.system());
        this.recovery = new Recovery(store, group);
        this.orphans = new OrphanedChunks(store, group, recovery);
        this.checkpoints = new Checkpoints(store, group, orphans, term, this::nextNumber, options);
        this.loop =
                new RecoveryLoop(
                        store, group, recovery, checkpoints, graphs, this::nextNumber, () -> code);
        this.columns =
                new ColumnPublisher(group, term, kept, checkpoints, graphs, this::nextNumber);
    }

    /**
     * A master of a cluster, for one attempt of a job.
     *
     * @param job its number; 0 for none, which no kept graph has as its user
     * @param term number of the mastership; slaves refuse commands of older ones
     * @param slaves nodes that compute, asked at the beginning of each task
     * @param memoryBytes memory of all slaves together
     */
    public static MasterSession over(
            StoreNode store,
            long job,
            long term,
            Supplier<int[]> slaves,
            long memoryBytes,
            CheckpointOptions options) {
        return new MasterSession(store, job, term, slaves, memoryBytes, options);
    }

    // jobs and tasks

    /** Begins a new job whose progress is this process's alone. */
    public MasterSession begin(JobListener newListener) {
        beginJob(newListener);
        checkpoints.begin(null);
        return this;
    }

    /**
     * Begins a new job whose progress is committed.
     *
     * @param sink takes the progress at the end of each task and at checkpoints in between
     */
    public MasterSession begin(JobListener newListener, CheckpointSink sink) {
        beginJob(newListener);
        checkpoints.begin(sink);
        return this;
    }

    /** What the job that has begun can name; it stays loaded until the job has ended. */
    public void use(JobCode jobCode) {
        code = jobCode;
    }

    /**
     * Goes on with a job that an older master led: graphs and states as of the last task that was
     * committed. To be called once after {@link #begin(JobListener, CheckpointSink)}, also with
     * nothing: it removes what older masters left behind.
     *
     * @param progress what was committed last; empty if nothing was
     * @param lostMaster the older master, for the report; -1 if there was none
     * @param detectedNanos {@link System#nanoTime} when its loss was noticed
     */
    public void resume(byte[] progress, int lostMaster, long detectedNanos) {
        loop.untilDone(() -> {
            group.use(slaves.get());
            MasterFailover failover = new MasterFailover(store, group, kept, term);
            Progress left = failover.read(progress);
            graphs.clear();
            graphs.putAll(failover.graphs(left));
            kept.resume(!left.kept().isEmpty());
            checkpoints.resume(left);
            failover.removeOthers(left);
            loop.restore(true);
            orphans.ask(
                    new EndBuild(Attempt.of(term, 0), false), CLEANUP_TIMEOUT, new ArrayList<>());
            orphans.remove();
            task = left.task();
            return true;
        });
        if (lostMaster >= 0) {
            checkpoints.lost(lostMaster, RecoveryEvent.MASTER);
        }
        RunCheckpoint inRun = checkpoints.inRun();
        int next = inRun == null ? -1 : inRun.state().superstep();
        checkpoints.owed().forEach((node, role) -> loop.wasLost(node, role, next, detectedNanos));
        checkpoints.commitMembers();
    }

    /** Begins a task: the slaves are chosen anew. */
    public void beginTask(int newTask) {
        task = newTask;
        runsOfTask = 0;
        built.clear();
        loop.untilDone(() -> {
            loop.useSlaves(slaves.get());
            group.all(new BeginTask(term, newTask));
            return true;
        });
        FaultPoint.task(FaultPoint.MASTER, newTask);
    }

    /** Ends a task: the sink gets what a new master needs to go on behind it. */
    public void endTask() {
        loop.runGoesOn(-1);
        loop.untilDone(() -> {
            checkpoints.commitTask(task + 1, graphs.values());
            return true;
        });
        removeDropped();
        kept.removeLeft(_ -> true);
    }

    /** Ends the job: removes its graphs and checkpoints; leaves those that are kept alone. */
    public void endJob() {
        group.reset();
        checkpoints.end();
        orphans.remove();
        for (String graph : List.copyOf(graphs.keySet())) {
            try {
                forget(known(graph));
                removeDropped();
            } catch (RuntimeException e) {
                LOG.warn("graph \"{}\" could not be removed behind its job", graph, e);
                group.allQuietly(new Detach(term, graph), CLEANUP_TIMEOUT);
                graphs.remove(graph);
            }
        }
        dropped.clear();
        kept.end();
        releaseCode();
    }

    private void releaseCode() {
        if (code.hasJars()) {
            group.allQuietly(new ReleaseCode(term), CLEANUP_TIMEOUT);
            code = JobCode.builtIn();
        }
    }

    /** Lets the job end at its next wait; any thread. */
    public void cancel() {
        group.cancel();
    }

    /** Lets the task at hand end at its next wait, or takes that back; any thread. */
    public void stopTask(boolean stopped) {
        group.stopTask(stopped);
    }

    // what a job does

    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        if (graphs.containsKey(graph)) {
            throw new InvalidInputException(
                    "there is a graph \""
                            + graph
                            + "\" already; drop it first or take another name");
        }
        Optional<BuildResult> before = loop.untilDone(() -> kept.madeBefore(graph, task));
        if (before.isPresent()) {
            known(graph);
            return before.get();
        }
        GraphBuilder.Built made;
        try {
            made = loop.untilDone(() -> tryBuild(graph, source, parameters, options));
        } catch (RuntimeException e) {
            removeAbandoned();
            throw e;
        }
        graphs.put(graph, made.graph());
        built.put(graph, made.result());
        return made.result();
    }

    @Override
    public void keep(String graph) {
        KnownGraph known = known(graph);
        if (known.kept()) {
            return;
        }
        GraphSession.requireKeepable(graph);
        kept.requireDurable(graph);
        long bytes =
                shares(graph).stream()
                        .mapToLong(share -> share.neighbourBytes() + share.vertexBytes())
                        .sum();
        loop.untilDone(() -> {
            group.all(new SyncChunks(term));
            kept.add(known, bytes, task, built.get(graph));
            return true;
        });
        store.names().remove(DescriptorChunk.NAME_PREFIX + graph);
        graphs.put(graph, known(graph).keptWith(List.of()));
    }

    @Override
    public void publish(String graph, String state, String as, boolean replace) {
        GraphSession.requireColumnName(as);
        if (!known(graph).kept()) {
            throw new InvalidInputException(
                    "graph \"%s\" goes with this job, and so would the column; make it with \"keep\": true"
                            .formatted(graph));
        }
        loop.untilDone(() -> {
            columns.publish(known(graph), state, as, replace, task);
            return true;
        });
    }

    @Override
    public GraphInfo info(String graph) {
        return known(graph).descriptor().info();
    }

    @Override
    public List<GraphShare> shares(String graph) {
        known(graph);
        return loop.untilDone(() -> {
            int[] nodes = group.slaves();
            List<Numbers> measured = group.all(new MeasureGraph(term, graph));
            List<GraphShare> shares = new ArrayList<>();
            for (int i = 0; i < nodes.length; i++) {
                long[] n = measured.get(i).values();
                shares.add(new GraphShare(nodes[i], (int) n[0], n[1], n[2], n[3], n[4]));
            }
            return shares;
        });
    }

    @Override
    public List<String> graphs() {
        return List.copyOf(graphs.keySet());
    }

    @Override
    public RunResult run(String graph, String program, Parameters parameters, RunOptions options) {
        known(graph);
        int index = runsOfTask++;
        superstep = -1;
        RunRequest request = RunRequest.of(graph, program, parameters, options);
        ProgramRunner.Outcome outcome =
                loop.untilDone(() -> superstep, () -> tryRun(index, request, options));
        if (outcome.repeatable()) {
            checkpoints.ran(known(graph), request, outcome.states());
        }
        loop.untilDone(checkpoints::saveIfDue);
        FinishedRun result = outcome.result();
        supersteps.addAndGet(result.supersteps());
        messages.addAndGet(result.messages());
        listener.ran(outcome.record());
        return result;
    }

    @Override
    public StateCursor read(String graph, String state) {
        return cursor(graph, state);
    }

    @Override
    public RowCursor rows(String graph) {
        return new ShardRowCursor(known(graph), store.chunks(), loop, shard -> ids(graph, shard));
    }

    @Override
    public long ordinal(String graph, long id) {
        known(graph);
        FindOrdinal command = new FindOrdinal(term, graph, id);
        for (Numbers answer : loop.untilDone(() -> group.all(command))) {
            if (answer.values()[0] >= 0) {
                return answer.values()[0];
            }
        }
        throw new InvalidInputException(ProgramRunner.noVertex(graph, id));
    }

    @Override
    public long id(String graph, long ordinal) {
        KnownGraph known = known(graph);
        Objects.checkIndex(ordinal, known.shards().vertices());
        int shard = known.shards().shardOf(ordinal);
        return ByteBuffer.wrap(vertices(graph, "", shard, ordinal, 1).ids())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    @Override
    public void write(String graph, String state, Path file) {
        try (StateRunsCursor values = cursor(graph, state)) {
            StateFile.write(values, file, nextNumber());
        }
    }

    @Override
    public void drop(String graph) {
        KnownGraph known = known(graph);
        boolean needed = checkpoints.isCommitted(known.chunk());
        if (known.kept()) {
            loop.untilDone(() -> {
                kept.drop(known);
                return true;
            });
        }
        forget(known);
        if (!needed) {
            removeDropped();
            kept.removeLeft(one -> one.descriptor() == known.chunk());
        }
    }

    /** Lets go of a graph; one of this job alone is to be removed. */
    private void forget(KnownGraph known) {
        String graph = known.name();
        loop.untilDone(() -> group.all(new Detach(term, graph)));
        graphs.remove(graph);
        checkpoints.dropped(graph);
        if (!known.kept()) {
            store.names().remove(DescriptorChunk.NAME_PREFIX + graph);
            dropped.add(known.chunk());
        }
    }

    // what others want to know

    /** Names of the graphs that are kept now, whoever uses them. */
    public List<String> keptGraphs() {
        return kept.names();
    }

    /** Losses that this job has survived, those before its last checkpoint included. */
    public List<RecoveryEvent> recoveryEvents() {
        return checkpoints.events();
    }

    /** Nodes of the slaves now, ascending. */
    public int[] slaves() {
        return group.slaves();
    }

    /** Supersteps since the start. */
    public long supersteps() {
        return supersteps.get();
    }

    /** Messages since the start. */
    public long messages() {
        return messages.get();
    }

    /** Asks all slaves for their processes' largest resident memory; 0 where one does not say. */
    public long[] peakResidentBytes() {
        return group.allQuietly(new Status(), CLEANUP_TIMEOUT).stream()
                .mapToLong(answer -> answer.map(StatusReport::peakResidentBytes).orElse(0L))
                .toArray();
    }

    // private

    private void beginJob(JobListener newListener) {
        releaseCode();
        listener = newListener;
        loop.listenTo(newListener);
        task = 0;
        runsOfTask = 0;
        group.reset();
    }

    private GraphBuilder.Built tryBuild(
            String graph, String source, Parameters parameters, BuildOptions options) {
        removeAbandoned();
        orphans.remove();
        boolean replicated = store.promised().compareTo(Durability.PROCESS) >= 0;
        GraphBuilder builder =
                new GraphBuilder(
                        store,
                        group,
                        listener,
                        memoryBytes,
                        nextNumber(),
                        replicated,
                        orphans,
                        code);
        boolean built = false;
        try {
            GraphBuilder.Built result = builder.build(graph, source, parameters, options);
            if (options.keepInputDegrees()) {
                checkpoints.built(
                        result.graph(),
                        new TreeMap<>(
                                Map.of(BuildOptions.INPUT_DEGREE, StateType.of(ColumnType.INT))));
            }
            built = true;
            return result;
        } finally {
            if (!built && builder.descriptorChunk() != 0) {
                checkpoints.dropped(graph);
                abandoned.add(new Abandoned(graph, builder.descriptorChunk(), builder.isNamed()));
            }
        }
    }

    private ProgramRunner.Outcome tryRun(int index, RunRequest request, RunOptions options) {
        KnownGraph known = known(request.graph());
        boolean mayResume = options.outputs().isEmpty();
        RunCheckpoint from = mayResume ? checkpoints.inRun(task, index, request) : null;
        ProgramRunner runner =
                new ProgramRunner(
                        store, group, nextNumber(), known, request, options.outputs(), code);
        int shards = known.shards().count();
        ProgramRunner.Outcome outcome =
                runner.run(
                        from,
                        listener,
                        new ProgramRunner.Watch() {
                            @Override
                            public void begins(int first) {
                                superstep = first;
                                loop.runGoesOn(first);
                            }

                            @Override
                            public void between(MasterRun master, long run, long[] before) {
                                superstep = master.supersteps();
                                if (mayResume && known.isReplicated()) {
                                    checkpoints.between(
                                            master,
                                            run,
                                            new Checkpoints.RunPosition(
                                                    task, index, request, shards, before));
                                }
                            }
                        });
        if (!outcome.repeatable()) {
            checkpoints.ranOnce(known, request, outcome.states());
        }
        return outcome;
    }

    /** Removes what builds have left that came as far as a descriptor. */
    private void removeAbandoned() {
        for (Abandoned left : List.copyOf(abandoned)) {
            group.allQuietly(new Detach(term, left.graph), CLEANUP_TIMEOUT);
            group.allQuietly(new RemoveGraph(term, left.chunk), CLEANUP_TIMEOUT);
            if (left.named) {
                store.names().remove(DescriptorChunk.NAME_PREFIX + left.graph);
            }
            store.chunks().remove(left.chunk);
            abandoned.remove(left);
        }
    }

    /** Removes graphs that nobody needs any more. */
    private void removeDropped() {
        for (Long chunk : List.copyOf(dropped)) {
            loop.untilDone(() -> group.all(new RemoveGraph(term, chunk)));
            store.chunks().remove(chunk);
            dropped.remove(chunk);
        }
    }

    private StateRunsCursor cursor(String graph, String state) {
        KnownGraph known = known(graph);
        StateRunsCursor.Fetch fetch =
                new StateRunsCursor.Fetch() {
                    @Override
                    public VertexValues vertices(int shard, long first, int count) {
                        return MasterSession.this.vertices(graph, state, shard, first, count);
                    }

                    @Override
                    public long[] ids(long[] ordinals) {
                        return loop.untilDone(() ->
                                VertexIds.of(ordinals, graph, known(graph).shards(), group, term));
                    }
                };
        return new StateRunsCursor(known.shards(), known.descriptor().idRuns(), fetch);
    }

    private byte[] ids(String graph, int shard) {
        ShardTable shards = known(graph).shards();
        return vertices(graph, "", shard, shards.first(shard), shards.size(shard)).ids();
    }

    private VertexValues vertices(String graph, String state, int shard, long first, int count) {
        ReadVertices command = new ReadVertices(term, graph, state, first, count);
        return loop.untilDone(() -> group.one(owner(graph, shard), command));
    }

    private int owner(String graph, int shard) {
        return known(graph).shards().owner(shard);
    }

    /** A graph of the job, or one that is kept, which the job uses from now on. */
    private KnownGraph known(String graph) {
        KnownGraph known = graphs.get(graph);
        return known == null ? adopt(graph) : known;
    }

    private KnownGraph adopt(String graph) {
        try {
            return loop.untilDone(() -> {
                KnownGraph found =
                        kept.use(graph)
                                .orElseThrow(() ->
                                        new InvalidInputException(
                                                "there is no graph \""
                                                        + graph
                                                        + "\"; there are "
                                                        + graphs.keySet()));
                recovery.awaitOwner(graph, found.chunk());
                loop.attach(found);
                return Objects.requireNonNull(graphs.get(graph));
            });
        } catch (RuntimeException e) {
            graphs.remove(graph);
            throw e;
        }
    }

    private long nextNumber() {
        return Attempt.of(term, LAST_NUMBER.incrementAndGet());
    }
}
