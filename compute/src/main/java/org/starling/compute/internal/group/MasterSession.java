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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.build.ColumnRow;
import org.starling.compute.internal.build.Projection;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.DescriptorChunk.Owned;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.BuildMessage.EndBuild;
import org.starling.compute.internal.protocol.ComputeMessage.Command;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.JarMessage.ReleaseCode;
import org.starling.compute.internal.protocol.QueryMessage.FindNumbers;
import org.starling.compute.internal.protocol.QueryMessage.FindOrdinal;
import org.starling.compute.internal.protocol.QueryMessage.FindTexts;
import org.starling.compute.internal.protocol.QueryMessage.MeasureGraph;
import org.starling.compute.internal.protocol.QueryMessage.ReadVertices;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.QueryMessage.VertexValues;
import org.starling.compute.internal.protocol.RecoveryMessage.BeginTask;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.EndJob;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.compute.internal.query.PointQueries;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.internal.run.VertexTexts;
import org.starling.compute.internal.structure.JobStructures;
import org.starling.compute.jars.JobCode;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.Structures;
import org.starling.graph.TextId;
import org.starling.graph.VertexId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.StoreException;
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

    /** Shards don't move for a run that says that it has fewer supersteps left. */
    private static final int LEAST_SUPERSTEPS = 2;

    /** Numbers of attempts in this process, whichever session they are of. */
    private static final AtomicInteger LAST_NUMBER = new AtomicInteger();

    private final StoreNode store;
    private final Group group;
    private final Leadership leadership;
    private final long term;
    private final Supplier<int[]> slaves;
    private final Checkpoints checkpoints;
    private final Recovery recovery;
    private final RecoveryLoop loop;
    private final OrphanedChunks orphans;
    private final TreeMap<String, KnownGraph> graphs = new TreeMap<>();

    private final GraphColumns existing;
    private final KeptGraphs kept;
    private final ColumnPublisher columns;
    private final JobStructures structures;
    private final VersionMaker versions;
    private final ShardMover mover;

    /** A failed run that has changed its graph, until slaves have the older one again. */
    private @Nullable ChangingRun rolledBack;

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

    /** Whether the run under way goes on when shards have moved. */
    private boolean moving;

    private volatile int superstep = -1;

    private record Abandoned(String graph, long build, long chunk) {}

    /**
     * A master over these slaves for as long as they live.
     *
     * @param memoryBytes memory of all slaves together
     */
    public MasterSession(StoreNode store, int[] slaves, long memoryBytes) {
        this(store, Leadership.alone(0, () -> slaves, memoryBytes), CheckpointOptions.DEFAULT);
    }

    private MasterSession(StoreNode store, Leadership leadership, CheckpointOptions options) {
        this.store = store;
        this.leadership = leadership;
        this.term = leadership.term();
        this.slaves = leadership.slaves();
        this.group = new Group(store.network(), store.membership(), slaves.get());
        this.kept = new KeptGraphs(store, Attempt.job(term), InstantSource.system());
        this.recovery = new Recovery(store, group);
        this.orphans = new OrphanedChunks(store, group, recovery, term);
        this.checkpoints =
                new Checkpoints(store, group, orphans, term, this::nextNumber, graphs, options);
        this.existing = new GraphColumns(group, term, graphs);
        this.versions = new VersionMaker(store, group, checkpoints, this::nextNumber, term);
        this.loop =
                new RecoveryLoop(
                        store,
                        group,
                        recovery,
                        checkpoints,
                        graphs,
                        this::nextNumber,
                        () -> code,
                        RecoveryLoop.STORE_PATIENCE_NANOS);
        this.mover =
                new ShardMover(
                        store, group, loop, checkpoints, graphs, this::nextNumber, leadership);
        this.structures =
                new JobStructures(
                        store,
                        Attempt.job(term),
                        () -> task,
                        group::checkCancelled,
                        (program, parameters, type, into, chunks, tokens) ->
                                loop.untilDone(() ->
                                        new PartSweep(
                                                        group,
                                                        store.chunks(),
                                                        term,
                                                        program,
                                                        parameters,
                                                        code.digests(),
                                                        type,
                                                        into)
                                                .run(chunks, tokens)));
        this.columns =
                new ColumnPublisher(
                        group, term, kept, checkpoints, orphans, graphs, this::nextNumber);
    }

    /** A master of a cluster, for one attempt of a job. */
    public static MasterSession over(
            StoreNode store, Leadership leadership, CheckpointOptions options) {
        return new MasterSession(store, leadership, options);
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
            group.use(recovery.awaitServing(slaves.get(), true));
            MasterFailover failover =
                    new MasterFailover(store, group, recovery, kept, term, orphans);
            Progress left = failover.read(progress);
            graphs.clear();
            graphs.putAll(failover.graphs(left));
            kept.resume(!left.kept().isEmpty());
            columns.release();
            checkpoints.resume(left);
            graphs.values().forEach(orphans::stands);
            failover.removeOthers(left, leadership.over(), leadership.removal());
            loop.restore(true);
            mover.resume();
            orphans.end(
                    new EndBuild(Attempt.of(term, 0), false), CLEANUP_TIMEOUT, new ArrayList<>());
            orphans.removeBuilds();
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

    /**
     * The task's own work is done, well or not: what it has changed of structures takes effect, or
     * does not.
     */
    public void endStructures(boolean well) {
        if (well) {
            structures.commit();
        } else {
            structures.abort();
        }
    }

    /** Nobody goes back behind what has taken effect: there is no other master. */
    public void settleStructures() {
        structures.settle();
    }

    /** Begins a task: the slaves are chosen anew. */
    public void beginTask(int newTask) {
        task = newTask;
        runsOfTask = 0;
        built.clear();
        columns.beginTask();
        loop.untilDone(() -> {
            int[] before = group.slaves();
            loop.useSlaves(slaves.get());
            mover.beginTask(newTask, before);
            group.all(new BeginTask(term, newTask, leadership.weight()));
            moveIfDue();
            return true;
        });
        FaultPoint.task(FaultPoint.MASTER, newTask);
    }

    /** Ends a task: the sink gets what a new master needs to go on behind it. */
    public void endTask() {
        loop.runGoesOn(-1);
        loop.untilDone(() -> {
            checkpoints.commitTask(task + 1);
            return true;
        });
        structures.settle();
        removeDropped();
        kept.removeLeft(_ -> true);
    }

    /** Ends the job: removes its graphs and checkpoints; leaves those that are kept alone. */
    public void endJob() {
        group.reset();
        columns.release();
        dropVersions();
        checkpoints.end();
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
        structures.endJob();
        kept.end();
        if (Attempt.job(term) == Attempt.EMBEDDED) {
            releaseCode();
        } else {
            code = JobCode.builtIn(); // slaves let go of it with all that they have of the job
            orphans.end(new EndJob(term), CLEANUP_TIMEOUT, new ArrayList<>());
        }
        orphans.removeAll();
    }

    /** Their chunks go with the checkpoints. */
    private void dropVersions() {
        for (KnownGraph graph : List.copyOf(graphs.values())) {
            boolean isVersion = graph.version().exists();
            boolean wasOne = rolledBack != null && rolledBack.isOf(graph.name());
            if (isVersion || wasOne) {
                group.allQuietly(new Detach(term, graph.name()), CLEANUP_TIMEOUT);
            }
            if (isVersion) {
                graphs.remove(graph.name());
            }
        }
        rolledBack = null;
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
        requireNew(graph);
        return make(
                graph,
                options.keepInputDegrees(),
                builder -> builder.build(graph, source, parameters, options));
    }

    @Override
    public BuildResult project(String graph, String vertices, String edges, String as) {
        requireNew(as);
        known(graph);
        checkFilters(graph, vertices, edges);
        return make(as, false, builder -> builder.project(known(graph), as, vertices, edges));
    }

    private void checkFilters(String graph, String vertices, String edges) {
        if (!vertices.isEmpty()) {
            SortedMap<String, StateType> types = loop.untilDone(() -> existing.of(graph));
            boolean textIds = known(graph).descriptor().textIds();
            GraphColumns.check("vertices", vertices, ColumnRow.nameable(types, textIds, _ -> true));
        }
        if (!edges.isEmpty()) {
            GraphColumns.check("edges", edges, Projection.edgeColumns(known(graph).descriptor()));
        }
    }

    private BuildResult make(
            String graph, boolean degrees, Function<GraphBuilder, GraphBuilder.Built> how) {
        Optional<BuildResult> before = loop.untilDone(() -> kept.madeBefore(graph, task));
        if (before.isPresent()) {
            known(graph);
            return before.get();
        }
        GraphBuilder.Built made;
        try {
            made = loop.untilDone(() -> tryBuild(graph, degrees, how));
        } catch (RuntimeException e) {
            try {
                removeAbandoned();
            } catch (StoreException later) { // before the next build, or behind the job
                e.addSuppressed(later);
            }
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
        if (known.version().exists()) {
            throw new InvalidInputException(
                    "graph \"%s\" can't be kept: a program of this job has changed it, and only a graph as it was built can be kept"
                            .formatted(graph));
        }
        kept.requireDurable(known);
        long bytes =
                known.descriptor().stringBytes()
                        + shares(graph).stream()
                                .mapToLong(share -> share.neighbourBytes() + share.vertexBytes())
                                .sum();
        loop.untilDone(() -> {
            kept.add(known, bytes, task, built.get(graph));
            return true;
        });
        store.names().remove(nameOf(known.chunk()));
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
        if (known(graph).descriptor().property(as, false) >= 0) {
            throw new InvalidInputException(
                    "graph \"%s\" was made with a column \"%s\", which stays; take another name"
                            .formatted(graph, as));
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
        loop.untilDone(this::moveIfDue);
        int index = runsOfTask++;
        superstep = -1;
        RunRequest request = RunRequest.of(graph, program, parameters, options);
        ChangingRun changes =
                new ChangingRun(store, group, recovery, loop, checkpoints, versions, graphs, graph);
        ProgramRunner.Outcome outcome;
        try {
            outcome =
                    loop.untilDone(() -> superstep, () -> tryRun(index, request, options, changes));
        } catch (RuntimeException e) {
            changes.rollBack();
            rolledBack = changes.hasBegun() ? changes : null;
            if (rolledBack == null) {
                forgetStatesOf(graph, e);
            }
            throw e;
        }
        if (changes.hasBegun()) {
            replaced(changes);
        } else if (outcome.repeatable()) {
            checkpoints.ran(known(graph), request, outcome.states());
        }
        loop.untilDone(checkpoints::saveIfDue);
        FinishedRun result = outcome.result();
        supersteps.addAndGet(result.supersteps());
        messages.addAndGet(result.messages());
        listener.ran(outcome.record());
        return result;
    }

    /** What checkpoints know of a graph may have gone with a run that failed. */
    private void forgetStatesOf(String graph, RuntimeException failure) {
        KnownGraph known = graphs.get(graph);
        if (known == null || !known.isReplicated()) {
            return;
        }
        try {
            versions.statesLeft(graph).ifPresent(left -> checkpoints.failed(known, left));
        } catch (RuntimeException unasked) {
            failure.addSuppressed(unasked);
        }
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
        throw new InvalidInputException(PointQueries.noVertex(graph, id));
    }

    @Override
    public long[] numbers(String graph, List<String> texts) {
        if (!known(graph).descriptor().textIds()) {
            return GraphSession.super.numbers(graph, texts);
        }
        long[] numbers =
                VertexTexts.numbers(
                        texts,
                        some ->
                                loop
                                        .untilDone(
                                                () -> group.all(new FindNumbers(term, graph, some)))
                                        .stream()
                                        .map(Numbers::values)
                                        .toList());
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0) {
                throw new InvalidInputException(PointQueries.noVertex(graph, texts.get(i)));
            }
        }
        return numbers;
    }

    @Override
    public List<String> texts(String graph, long[] numbers) {
        if (!known(graph).descriptor().textIds()) {
            return GraphSession.super.texts(graph, numbers);
        }
        for (long number : numbers) {
            Objects.checkIndex(number, known(graph).shards().vertices());
        }
        return loop.untilDone(() ->
                VertexTexts.of(
                        numbers,
                        known(graph).shards(),
                        (keeper, own) ->
                                group.one(keeper, new FindTexts(term, graph, own)).texts()));
    }

    @Override
    public GraphQueries queries() {
        return new JobQueries(
                this,
                store,
                this::known,
                (graph, column, ordinal) ->
                        vertices(graph, column, known(graph).shards().shardOf(ordinal), ordinal, 1),
                Attempt.job(term));
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
            StateFile.write(values, names(graph), file, nextNumber());
        }
    }

    /** How ids are written; those that are texts are asked for in ascending order. */
    private LongFunction<String> names(String graph) {
        if (!known(graph).descriptor().textIds()) {
            return VertexId::text;
        }
        return new AscendingTexts(
                known(graph).shards().vertices(), numbers -> fields(graph, numbers));
    }

    /** Texts as files have them. */
    private List<String> fields(String graph, long[] numbers) {
        return texts(graph, numbers).stream().map(TextId::field).toList();
    }

    @Override
    public void writeParts(String graph, String state, Path file) {
        known(graph);
        loop.untilDone(() -> {
            new PartsFile(file, nextNumber()).write(known(graph), state, group);
            return true;
        });
    }

    @Override
    public void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        known(graph);
        loop.untilDone(() -> {
            new PartsFolder(folder, nextNumber()).write(graph, columns, format, ending, group);
            return true;
        });
    }

    @Override
    public Structures structures() {
        return structures;
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
        if (known.version().exists()) {
            checkpoints.holdOnly(null); // its chunks go as those of checkpoints do
        } else if (!known.kept()) {
            dropped.add(known.chunk());
        }
        if (!known.moved().isEmpty()) {
            checkpoints.release(known.moved());
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

    /** How often shards have moved because peers joined or left. */
    public int moves() {
        return mover.moves();
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
        recovery.listenTo(newListener);
        loop.listenTo(newListener);
        mover.listenTo(newListener);
        task = 0;
        runsOfTask = 0;
        group.reset();
    }

    private void requireNew(String graph) {
        if (graphs.containsKey(graph)) {
            throw new InvalidInputException(
                    "there is a graph \""
                            + graph
                            + "\" already; drop it first or take another name");
        }
    }

    private GraphBuilder.Built tryBuild(
            String graph, boolean degrees, Function<GraphBuilder, GraphBuilder.Built> how) {
        removeAbandoned();
        orphans.removeBuilds();
        boolean replicated = kept.promised().compareTo(Durability.PROCESS) >= 0;
        long number = nextNumber();
        GraphBuilder builder =
                new GraphBuilder(
                        store, group, listener, leadership, number, replicated, orphans, code);
        boolean built = false;
        try {
            GraphBuilder.Built result = how.apply(builder);
            if (degrees) {
                checkpoints.built(
                        result.graph(),
                        new TreeMap<>(
                                Map.of(BuildOptions.INPUT_DEGREE, StateType.of(ColumnType.INT))));
            }
            built = true;
            return result;
        } finally {
            if (!built && builder.isNamed()) {
                checkpoints.dropped(graph);
                abandoned.add(new Abandoned(graph, number, builder.descriptorChunk()));
            }
        }
    }

    private ProgramRunner.Outcome tryRun(
            int index, RunRequest request, RunOptions options, ChangingRun changes) {
        ProgramRunner.Outcome done = changes.done();
        if (done != null) {
            return done;
        }
        boolean mayResume = options.outputs().isEmpty();
        moving = false;
        RunCheckpoint from = mayResume ? checkpoints.inRun(task, index, request) : null;
        changes.goTo(from);
        ProgramRunner runner = null;
        ProgramRunner.Outcome outcome = null;
        while (outcome == null) {
            KnownGraph known = known(request.graph());
            runner =
                    new ProgramRunner(
                                    store,
                                    group,
                                    nextNumber(),
                                    known,
                                    request,
                                    options.outputs(),
                                    code)
                            .admittedBy(leadership.admission())
                            .behind(runner);
            try {
                outcome =
                        runner.run(
                                from, listener, watch(index, request, known, mayResume, changes));
            } catch (GraphColumns.UnattachedException missing) {
                known(missing.graph());
                continue;
            }
            if (outcome == null && moving) {
                moving = false;
                mover.move();
                from = checkpoints.inRun(task, index, request);
            } else if (outcome == null) {
                changes.turn();
                from = checkpoints.inRun(task, index, request);
            }
        }
        if (changes.hasBegun()) {
            changes.ended(outcome);
        }
        if (!outcome.repeatable() || changes.mustSave()) {
            checkpoints.ranOnce(known(request.graph()), request, outcome.states());
        }
        return outcome;
    }

    private ProgramRunner.Watch watch(
            int index,
            RunRequest request,
            KnownGraph known,
            boolean mayResume,
            ChangingRun changes) {
        int shards = known.shards().count();
        return new ProgramRunner.Watch() {
            @Override
            public void begins(int first) {
                superstep = first;
                loop.runGoesOn(first);
            }

            @Override
            public boolean between(MasterRun master, long run, long[] before) {
                superstep = master.supersteps();
                if (!mayResume || !known.isReplicated()) {
                    return false;
                }
                if (!changes.hasBegun() && canMove(master) && mover.isDue()) {
                    moving = checkpoints.saveNow(master, run, position(before));
                    if (moving) {
                        listener.checkpointed();
                        checkpoints.saveAll(known.name(), master.states().keySet());
                    }
                    return moving;
                }
                if (checkpoints.between(master, run, position(before))) {
                    listener.checkpointed();
                }
                return false;
            }

            @Override
            public void declared(MasterRun master) {
                changes.prepare(master, request.program(), !mayResume);
                existing.join(master, request.program(), known.descriptor().textIds());
            }

            @Override
            public void change(MasterRun master, long run, long[] before) {
                superstep = master.supersteps();
                changes.change(master, run, position(before));
                listener.checkpointed();
            }

            @Override
            public void over(MasterRun master, long run) {
                if (changes.hasBegun()) {
                    changes.pack(run);
                }
            }

            private Checkpoints.RunPosition position(long[] before) {
                return new Checkpoints.RunPosition(task, index, request, shards, before);
            }
        };
    }

    /** Whether shards may move now: the program can go on elsewhere, and has not nearly ended. */
    private static boolean canMove(MasterRun master) {
        long expected = master.expectedSupersteps();
        return master.resumes()
                && (expected <= 0 || expected - master.supersteps() >= LEAST_SUPERSTEPS);
    }

    /** Lets peers that have joined take part, and those that leave go, if no run is under way. */
    private boolean moveIfDue() {
        if (rolledBack == null) {
            mover.moveIfDue();
        }
        return true;
    }

    /** A run has left another version of its graph, and nobody needs the one before any more. */
    private void replaced(ChangingRun changes) {
        KnownGraph before = changes.before();
        boolean changed = changes.hasChanged();
        changes.settle();
        if (before == null || !changed || before.kept() || before.version().exists()) {
            return;
        }
        dropped.add(before.chunk());
        if (!checkpoints.isCommitted(before.chunk())) {
            removeDropped();
        }
    }

    /** Removes what builds have left that came as far as a name. */
    private void removeAbandoned() {
        for (Abandoned left : List.copyOf(abandoned)) {
            group.allQuietly(new Detach(term, left.graph), CLEANUP_TIMEOUT);
            orphans.stands(Attempt.job(term), left.build);
            removeRows(left.chunk);
            try {
                store.chunks().remove(left.chunk);
            } catch (ChunkNotFoundException | DataLostException gone) {
                LOG.info("of a build that failed nothing is left: {}", gone.getMessage());
            }
            store.names().remove(nameOf(left.chunk));
            abandoned.remove(left);
        }
    }

    /** Of a graph that nobody has; whether or not the job is cancelled. */
    private void removeRows(long descriptorChunk) {
        int[] slaves = group.slaves();
        try {
            recovery.useOwners(DescriptorChunk.read(store.chunks(), descriptorChunk));
        } catch (StoreException | JobFailedException | JobCancelledException e) {
            LOG.info("rows are removed where they were made: {}", e.getMessage());
        }
        group.allQuietly(new RemoveGraph(term, descriptorChunk), CLEANUP_TIMEOUT);
        mover.backTo(slaves);
    }

    /** Removes graphs that nobody needs any more; no job ends because one of them is lost. */
    private void removeDropped() {
        for (Long chunk : List.copyOf(dropped)) {
            try {
                loop.untilDone(() -> removeDropped(chunk));
            } catch (StoreException | JobFailedException left) {
                LOG.warn("what is left of a dropped graph stays: {}", left.getMessage());
            }
            dropped.remove(chunk);
        }
    }

    /** Its name goes last: by that whoever comes next finds what this master has not come to. */
    private boolean removeDropped(long chunk) {
        Owned owned = new Owned(Attempt.job(term), chunk);
        try {
            if (MasterFailover.find(store.chunks(), owned).isPresent()) {
                withOwners(chunk, new RemoveGraph(term, chunk));
                store.chunks().remove(chunk);
            }
        } catch (DataLostException lost) { // is not waited for
            LOG.warn("a dropped graph is lost: {}", lost.getMessage());
        }
        store.names().remove(owned.name());
        return true;
    }

    private String nameOf(long chunk) {
        return new Owned(Attempt.job(term), chunk).name();
    }

    /**
     * Lets slaves do something with the chunks of a graph as it was made, some of which may belong
     * to peers that are slaves no more.
     */
    private boolean withOwners(long descriptorChunk, Command<Done> command) {
        int[] slaves = group.slaves();
        try {
            if (mover.hasMoved()) {
                recovery.useOwners(DescriptorChunk.read(store.chunks(), descriptorChunk));
            }
            group.all(command);
            return true;
        } finally {
            mover.backTo(slaves);
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

                    @Override
                    public List<String> names(long[] ids) {
                        return known.descriptor().textIds()
                                ? fields(graph, ids)
                                : StateRunsCursor.Fetch.super.names(ids);
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
        ChangingRun failed = rolledBack;
        if (failed != null) {
            loop.untilDone(() -> {
                failed.attachAnew();
                return true;
            });
            checkpoints.holdOnly(null);
            rolledBack = null;
        }
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
                recovery.awaitOwner(Recovery.named(graph), found.chunk());
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
