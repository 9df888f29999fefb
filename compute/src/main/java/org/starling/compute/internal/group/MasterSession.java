package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.ComputeMessage.Bytes;
import org.starling.compute.internal.protocol.ComputeMessage.Drop;
import org.starling.compute.internal.protocol.ComputeMessage.EndReport;
import org.starling.compute.internal.protocol.ComputeMessage.EndRun;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.compute.internal.protocol.ComputeMessage.FindOrdinal;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.ComputeMessage.PrepareReport;
import org.starling.compute.internal.protocol.ComputeMessage.PrepareRun;
import org.starling.compute.internal.protocol.ComputeMessage.ReadIds;
import org.starling.compute.internal.protocol.ComputeMessage.Superstep;
import org.starling.compute.internal.protocol.ComputeMessage.SuperstepReport;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramProvider;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.store.StoreNode;

/**
 * The master: makes graphs and runs programs by leading the slaves from barrier to barrier.
 * Confined to the job's thread, but for {@link #cancel}.
 */
public final class MasterSession implements GraphSession {
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(2);

    private final StoreNode store;
    private final Group group;
    private final long memoryBytes;
    private final Map<String, Known> graphs = new TreeMap<>();
    private JobListener listener = JobListener.SILENT;
    private int lastNumber;
    private final AtomicLong supersteps = new AtomicLong();
    private final AtomicLong messages = new AtomicLong();

    private record Known(GraphDescriptor descriptor, ShardTable shards, long chunk) {}

    /**
     * A master over these slaves.
     *
     * @param memoryBytes memory of all slaves together
     */
    public MasterSession(StoreNode store, int[] slaves, long memoryBytes) {
        this.store = store;
        this.group = new Group(store.network(), slaves);
        this.memoryBytes = memoryBytes;
    }

    /** Begins a new job. */
    public MasterSession begin(JobListener newListener) {
        listener = newListener;
        group.reset();
        return this;
    }

    /**
     * A master of a cluster, one for all the jobs that it leads in its term.
     *
     * @param term number of the mastership; slaves refuse commands of older ones
     * @param slaves nodes that compute, asked at the beginning of each task
     * @param memoryBytes memory of all slaves together
     */
    public static MasterSession over(
            StoreNode store,
            long term,
            Supplier<int[]> slaves,
            long memoryBytes,
            CheckpointOptions options) {
        return new MasterSession(store, slaves.get(), memoryBytes);
    }

    /**
     * Begins a new job whose progress is committed.
     *
     * @param sink takes the progress at the end of each task and at checkpoints in between
     */
    public MasterSession begin(JobListener newListener, CheckpointSink sink) {
        return begin(newListener);
    }

    /**
     * Goes on with a job that an older master led: graphs and states as of the last task that was
     * committed. To be called once after {@link #begin(JobListener, CheckpointSink)}, also with
     * nothing: it removes what older masters left behind.
     *
     * @param progress what was committed last; empty if nothing was
     * @param lostMaster the older master, for the report
     * @param detectedNanos {@link System#nanoTime} when its loss was noticed
     */
    public void resume(byte[] progress, int lostMaster, long detectedNanos) {
        throw new UnsupportedOperationException("to come on this branch");
    }

    /** Begins a task: the slaves are chosen anew. */
    public void beginTask(int task) {}

    /** Ends a task: the sink gets what a new master needs to go on behind it. */
    public void endTask() {}

    /** Ends the job: removes its graphs and checkpoints. */
    public void endJob() {
        graphs().forEach(this::drop);
    }

    /** Losses that this job has survived, those before its last checkpoint included. */
    public List<RecoveryEvent> recoveryEvents() {
        return List.of();
    }

    /** Lets the job end at its next wait; any thread. */
    public void cancel() {
        group.cancel();
    }

    /** Supersteps since the start. */
    public long supersteps() {
        return supersteps.get();
    }

    /** Messages since the start. */
    public long messages() {
        return messages.get();
    }

    /** Asks all slaves for their processes' largest resident memory. */
    public long[] peakResidentBytes() {
        return group
                .all(new org.starling.compute.internal.protocol.ComputeMessage.Status())
                .stream()
                .mapToLong(numbers -> numbers.values()[0])
                .toArray();
    }

    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        if (graphs.containsKey(graph)) {
            throw new InvalidInputException(
                    "there is a graph \""
                            + graph
                            + "\" already; drop it first or take another name");
        }
        GraphBuilder builder = new GraphBuilder(store, group, listener, memoryBytes, ++lastNumber);
        GraphBuilder.Built built = builder.build(graph, source, parameters, options);
        GraphDescriptor descriptor = built.descriptor();
        ShardTable shards = new ShardTable(descriptor.shardFirsts(), descriptor.shardOwners());
        graphs.put(graph, new Known(descriptor, shards, built.chunk()));
        return built.result();
    }

    @Override
    public GraphInfo info(String graph) {
        return known(graph).descriptor.info();
    }

    @Override
    public List<String> graphs() {
        return List.copyOf(graphs.keySet());
    }

    @Override
    public RunResult run(String graph, String program, Parameters parameters, RunOptions options) {
        Known known = known(graph);
        ProgramProvider provider = Services.program(program);
        int run = ++lastNumber;
        NodeContext node =
                new NodeContext(
                        store.nodeId(),
                        store.network(),
                        store.chunks(),
                        new WorkerTeam("master", 0),
                        new ZeroedMemory());
        boolean ended = false;
        try (MasterRun master =
                new MasterRun(
                        run,
                        known.descriptor.info(),
                        node,
                        group.size(),
                        provider.create(parameters))) {
            prepare(graph, program, parameters, options, run);
            double seconds = supersteps(program, options, master);
            List<EndReport> ends = group.all(new EndRun(run, true));
            ended = true;
            int shards = known.shards.count();
            options.outputs().values().forEach(file -> OutputParts.join(file, run, shards));
            supersteps.addAndGet(master.supersteps());
            messages.addAndGet(master.messages());
            return new FinishedRun(
                    master.supersteps(),
                    master.messages(),
                    seconds,
                    master.aggregates(),
                    histograms(master.histograms(), ends));
        } finally {
            if (!ended) {
                group.allQuietly(new EndRun(run, false), CLEANUP_TIMEOUT);
                int shards = known.shards.count();
                options.outputs().values().forEach(file -> OutputParts.remove(file, run, shards));
            }
        }
    }

    @Override
    public StateCursor read(String graph, String state) {
        Known known = known(graph);
        return new ShardStateCursor(group, graph, state, known.descriptor, known.shards);
    }

    @Override
    public long ordinal(String graph, long id) {
        GraphDescriptor descriptor = known(graph).descriptor;
        for (Numbers answer : group.all(new FindOrdinal(descriptor.name(), id))) {
            if (answer.values()[0] >= 0) {
                return answer.values()[0];
            }
        }
        throw new InvalidInputException(noVertex(graph, id));
    }

    @Override
    public long id(String graph, long ordinal) {
        Known known = known(graph);
        java.util.Objects.checkIndex(ordinal, known.shards.vertices());
        if (known.descriptor.dense()) {
            return known.descriptor.firstId() + ordinal;
        }
        int shard = known.shards.shardOf(ordinal);
        Bytes ids = group.one(known.shards.owner(shard), new ReadIds(graph, shard));
        int index = (int) (ordinal - known.shards.first(shard));
        return ByteBuffer.wrap(ids.values())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(index * Long.BYTES);
    }

    @Override
    public void write(String graph, String state, Path file) {
        try (ShardStateCursor values = (ShardStateCursor) read(graph, state)) {
            StateFile.write(values, file);
        }
    }

    @Override
    public void drop(String graph) {
        Known known = known(graph);
        graphs.remove(graph);
        group.all(new Drop(graph));
        store.names().remove(DescriptorChunk.NAME_PREFIX + graph);
        store.chunks().remove(known.chunk);
    }

    private void prepare(
            String graph, String program, Parameters parameters, RunOptions options, int run) {
        options.outputs().values().forEach(MasterSession::checkWritable);
        PrepareRun command =
                new PrepareRun(
                        run,
                        graph,
                        program,
                        ParameterCodec.write(parameters),
                        ParameterCodec.writeFiles(options.outputs()),
                        group.slaves());
        List<PrepareReport> reports = group.all(command);
        long[] startAt = reports.get(0).startAt();
        if (reports.stream().mapToInt(PrepareReport::startsHere).sum() < startAt.length) {
            for (long id : startAt) {
                ordinal(graph, id);
            }
        }
    }

    private double supersteps(String program, RunOptions options, MasterRun master) {
        long start = System.nanoTime();
        while (true) {
            List<SuperstepReport> reports = group.<SuperstepReport, Superstep>each(master::command);
            for (SuperstepReport report : reports) {
                if (report.failureKind() >= 0) {
                    throw failure(reports);
                }
            }
            boolean more = master.advance(reports);
            listener.superstep(master.supersteps() - 1, master.computed(), master.messages());
            if (!more) {
                return (System.nanoTime() - start) / 1e9;
            }
            if (master.supersteps() >= options.maxSupersteps()) {
                throw new JobFailedException(
                        "program "
                                + program
                                + " has not ended after "
                                + options.maxSupersteps()
                                + " supersteps; let it halt, or allow more");
            }
        }
    }

    /** The first failure that is not a consequence of another one. */
    private static RuntimeException failure(List<SuperstepReport> reports) {
        SuperstepReport worst =
                reports.stream()
                        .filter(report -> report.failureKind() >= 0)
                        .min(java.util.Comparator.comparingInt(SuperstepReport::failureKind))
                        .orElseThrow();
        return CommandFailedException.exception(
                FailureKind.of(worst.failureKind()),
                worst.failure(),
                new IllegalStateException("reported by a slave"));
    }

    private static Map<String, long[]> histograms(List<String> names, List<EndReport> ends) {
        Map<String, long[]> sums = new HashMap<>();
        for (EndReport end : ends) {
            int at = 0;
            for (String name : names) {
                int length = (int) end.histograms()[at++];
                long[] sum = sums.getOrDefault(name, new long[0]);
                sum = sum.length < length ? Arrays.copyOf(sum, length) : sum;
                for (int i = 0; i < length; i++) {
                    sum[i] += end.histograms()[at++];
                }
                sums.put(name, sum);
            }
        }
        return sums;
    }

    private static void checkWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new InvalidInputException(
                    "cannot write "
                            + file
                            + ": its folder does not exist or cannot be written; make the folder first");
        }
    }

    private Known known(String graph) {
        Known known = graphs.get(graph);
        if (known == null) {
            throw new InvalidInputException(
                    "there is no graph \"" + graph + "\"; there are " + graphs.keySet());
        }
        return known;
    }

    private static String noVertex(String graph, long id) {
        return "graph \""
                + graph
                + "\" has no vertex "
                + id
                + "; take an id that stands in its file";
    }
}
