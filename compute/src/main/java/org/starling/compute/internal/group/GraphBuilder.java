package org.starling.compute.internal.group;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.starling.compute.JobListener;
import org.starling.compute.internal.build.PackedTexts;
import org.starling.compute.internal.build.Projection;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.DescriptorChunk.Owned;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.BuildMessage.BuildProjection;
import org.starling.compute.internal.protocol.BuildMessage.BuildRead;
import org.starling.compute.internal.protocol.BuildMessage.BuildStep;
import org.starling.compute.internal.protocol.BuildMessage.EndBuild;
import org.starling.compute.internal.protocol.BuildMessage.MakeRows;
import org.starling.compute.internal.protocol.BuildMessage.PartReport;
import org.starling.compute.internal.protocol.BuildMessage.RowReport;
import org.starling.compute.internal.protocol.BuildMessage.Step;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.compute.internal.protocol.QueryMessage.StatusReport;
import org.starling.compute.internal.protocol.RecoveryMessage.Attach;
import org.starling.compute.internal.protocol.TopologyMessage.SaveDescriptor;
import org.starling.compute.jars.JobCode;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.EdgeSource;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreNode;

/**
 * The master's part in making a graph: leads all slaves through the steps of {@link
 * org.starling.compute.internal.build.SlaveBuild} and writes the descriptor. Confined to the job's
 * thread.
 */
final class GraphBuilder {
    private static final int SAMPLES_PER_SLAVE = 4096;
    private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(2);

    private final StoreNode store;
    private final Group group;
    private final JobListener listener;
    private final Leadership leadership;
    private final long build;
    private final boolean replicated;
    private final OrphanedChunks orphans;
    private final JobCode code;
    private long descriptorChunk;
    private boolean named;

    /**
     * Makes a builder.
     *
     * @param leadership whose build it is
     * @param build number of the build
     * @param replicated whether the graph gets backups
     * @param orphans remove what was made, if the build fails
     * @param code has the source
     */
    GraphBuilder(
            StoreNode store,
            Group group,
            JobListener listener,
            Leadership leadership,
            long build,
            boolean replicated,
            OrphanedChunks orphans,
            JobCode code) {
        this.code = code;
        this.orphans = orphans;
        this.store = store;
        this.group = group;
        this.listener = listener;
        this.leadership = leadership;
        this.build = build;
        this.replicated = replicated;
    }

    /**
     * Makes a graph. If it cannot, what was made is removed; but if there is a name already that
     * leads to it, it is left to the caller ({@link #isNamed}).
     */
    Built build(String graph, String source, Parameters parameters, BuildOptions options) {
        EdgeSource edges = code.edgeSource(source).create(parameters);
        SourceDescription description = BuildForecast.describe(edges);
        checkVertices(graph, description.vertexCount());
        long needed = BuildForecast.of(description, options).neededBytes();
        checkFits(graph, description, needed);
        leadership.admission().await(() -> need(graph, needed), group::checkCancelled);
        return untilEnd(() -> {
            long start = System.nanoTime();
            listener.progress("reading edges", 0, description.parts());
            List<PartReport> read = read(source, parameters, options, description.parts());
            List<PartSummary> summaries = summaries(read, description.parts());
            edges.check(summaries);
            long skipped = summaries.stream().mapToLong(PartSummary::skipped).sum();
            List<String> firstSkipped = skipped == 0 ? List.of() : explained(edges, summaries);
            listener.progress("reading edges", description.parts(), description.parts());
            long readDone = System.nanoTime();
            listener.progress("building rows", 0, 0);
            long ends = 2 * read.stream().mapToLong(PartReport::edges).sum();
            long[] ranks = ranks(description);
            Made made = make(graph, description, options, ranks, ends);
            long selfLoops = read.stream().mapToLong(PartReport::selfLoops).sum();
            return built(made, selfLoops, start, readDone).skipped(skipped, firstSkipped);
        });
    }

    /**
     * Makes a graph of another one.
     *
     * @param vertices condition on vertices; empty if all are taken
     * @param edges condition on edges; empty if all are taken whose ends are
     */
    Built project(KnownGraph source, String graph, String vertices, String edges) {
        GraphDescriptor of = source.descriptor();
        boolean wide = of.neighbourBytes() == AdjacencyLayout.WIDE_BYTES;
        BuildOptions options = new BuildOptions(of.directed(), false, of.incoming(), wide);
        return untilEnd(() -> {
            long start = System.nanoTime();
            listener.progress("reading vertices of " + source.name(), 0, 0);
            List<PartReport> read =
                    group.each(_ ->
                            new BuildProjection(
                                    build,
                                    source.name(),
                                    vertices,
                                    edges,
                                    options,
                                    group.slaves()));
            SourceDescription most =
                    Projection.describe(of, vertices(read), entries(read) / ends(of));
            long table = of.vertices() * of.neighbourBytes() * group.size();
            long needed = BuildForecast.of(most, options).neededBytes() + table;
            checkFits(graph, most, needed);
            leadership.admission().await(() -> need(graph, needed), group::checkCancelled);
            long[] ranks = rankIds();
            long total = ranks[group.size()];
            all(Step.SHARE_RANKS, 0);
            long taken = all(Step.READ_ROWS, total).stream().mapToLong(one -> one[0]).sum();
            long readDone = System.nanoTime();
            listener.progress("building rows", 0, 0);
            return built(make(graph, most, options, ranks, 2 * taken), 0, start, readDone);
        });
    }

    private static int ends(GraphDescriptor graph) {
        return graph.directed() ? 1 : 2;
    }

    private static long vertices(List<PartReport> reports) {
        return reports.stream()
                .flatMap(report -> Arrays.stream(report.summaries()))
                .mapToLong(PartSummary::vertices)
                .sum();
    }

    private static long entries(List<PartReport> reports) {
        return reports.stream()
                .flatMap(report -> Arrays.stream(report.summaries()))
                .mapToLong(PartSummary::entries)
                .sum();
    }

    private Built built(Made made, long selfLoops, long startNanos, long readNanos) {
        attach(made);
        BuildResult result =
                new BuildResult(
                        made.descriptor.info(),
                        selfLoops,
                        made.duplicates,
                        (readNanos - startNanos) / 1e9,
                        (System.nanoTime() - readNanos) / 1e9);
        return new Built(result, KnownGraph.of(made.descriptor, made.chunk));
    }

    private Built untilEnd(Supplier<Built> work) {
        boolean succeeded = false;
        boolean cancelled = false;
        try {
            Built built = work.get();
            succeeded = true;
            return built;
        } catch (JobCancelledException e) {
            cancelled = true;
            List<String> stuck = new ArrayList<>();
            end(false, stuck);
            throw Group.cancelled(e, stuck);
        } finally {
            if (!cancelled) {
                end(succeeded, new ArrayList<>());
            }
            leadership.admission().release();
        }
    }

    /** Once it has a name its descriptor alone says what is to be removed. */
    private void end(boolean succeeded, List<String> stuck) {
        orphans.end(new EndBuild(build, named), CLEANUP_TIMEOUT, stuck);
        if (succeeded) {
            orphans.stands(Attempt.job(Attempt.term(build)), build);
        } else if (!named) {
            orphans.removeBuild(build);
        }
    }

    /** A graph that stands. */
    record Built(BuildResult result, KnownGraph graph) {
        private Built skipped(long lines, List<String> first) {
            return new Built(
                    new BuildResult(
                            result.graph(),
                            result.skippedSelfLoops(),
                            result.skippedDuplicates(),
                            result.readSeconds(),
                            result.constructionSeconds(),
                            lines,
                            first),
                    graph);
        }
    }

    /** Chunk of the descriptor of a graph that has a name. */
    long descriptorChunk() {
        return descriptorChunk;
    }

    /** Whether the graph's name leads to the descriptor, or may do so. */
    boolean isNamed() {
        return named;
    }

    private record Made(GraphDescriptor descriptor, long chunk, long duplicates) {}

    private static List<String> explained(EdgeSource source, List<PartSummary> summaries) {
        try {
            return source.explainSkipped(summaries);
        } catch (IOException gone) {
            throw new InvalidInputException(
                    "cannot read the edges again: " + FileTrouble.reason(gone), gone);
        }
    }

    private static void checkVertices(String graph, long vertices) {
        if (vertices > AdjacencyLayout.MAX_VERTICES) {
            throw new InvalidInputException(
                    "graph \""
                            + graph
                            + "\" would have "
                            + vertices
                            + " vertices; at most "
                            + AdjacencyLayout.MAX_VERTICES
                            + " fit");
        }
    }

    private void checkFits(String graph, SourceDescription source, long needed) {
        if (needed > leadership.memoryBytes()) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "graph \"%s\" needs about %,d MiB while it is made (about %,d vertices"
                                    + " and %,d edges), but the peers may use only %,d MiB for graphs;"
                                    + " start more peers, or set memoryPerPeer to more",
                            graph,
                            Math.ceilDiv(needed, 1L << 20),
                            source.vertexCount(),
                            source.edgeCount(),
                            leadership.memoryBytes() >> 20));
        }
    }

    /** What the build needs, beside what the slaves' chunks use now. */
    private BuildNeed need(String graph, long needed) {
        int[] nodes = group.slaves();
        List<StatusReport> reports = group.all(new Status());
        Map<Integer, Long> used = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) {
            used.put(nodes[i], reports.get(i).chunkBytes());
        }
        return new BuildNeed(graph, needed, leadership.memoryBytes(), used);
    }

    private List<PartReport> read(
            String source, Parameters parameters, BuildOptions options, int parts) {
        return group.each(slave ->
                new BuildRead(
                        build,
                        source,
                        ParameterCodec.write(parameters),
                        options,
                        partsOf(slave, parts),
                        group.slaves(),
                        code.digests()));
    }

    private int[] partsOf(int slave, int parts) {
        int slaves = group.size();
        int[] mine = new int[parts / slaves + (slave < parts % slaves ? 1 : 0)];
        Arrays.setAll(mine, i -> slave + i * slaves);
        return mine;
    }

    private List<PartSummary> summaries(List<PartReport> reports, int parts) {
        PartSummary[] all = new PartSummary[parts];
        for (int slave = 0; slave < reports.size(); slave++) {
            int[] mine = partsOf(slave, parts);
            PartSummary[] summaries = reports.get(slave).summaries();
            for (int i = 0; i < mine.length; i++) {
                all[mine[i]] = summaries[i];
            }
        }
        return List.of(all);
    }

    private Made make(
            String graph, SourceDescription source, BuildOptions options, long[] ranks, long ends) {
        long vertices = ranks[group.size()];
        checkVertices(graph, vertices);
        long averageDegree = Math.max(1, ends / Math.max(1, vertices));
        all(Step.COUNT_DEGREES, averageDegree, ranks);
        OrdinalRuns runs = new OrdinalRuns(all(Step.SHARE_DEGREES, 0));
        int granuleShift = ShardCut.granuleShift(vertices);
        long[] edgeEnds = new long[0];
        for (long[] counts : each(Step.ORDER_VERTICES, granuleShift, runs::firstsOf)) {
            edgeEnds = edgeEnds.length == 0 ? new long[counts.length] : edgeEnds;
            for (int i = 0; i < edgeEnds.length; i++) {
                edgeEnds[i] += counts[i];
            }
        }
        ShardCut cut = new ShardCut(vertices, granuleShift, edgeEnds);
        int[] owners = cut.owners(group.slaves(), runs.starts());
        group.all(new BuildStep(build, Step.PREPARE_EXCHANGE, 0, cut.firsts(), owners));
        all(Step.SEND_EDGES, 0);
        List<RowReport> rows = group.all(new MakeRows(build, replicated));
        rows.stream().mapToLong(RowReport::twice).filter(rank -> rank >= 0).forEach(this::refuse);
        return describe(graph, source, options, runs.starts(), cut.firsts(), owners, rows);
    }

    /** A vertex has properties twice; whoever has sorted its text knows it. */
    private void refuse(long rank) {
        for (long[] answer : all(Step.TEXT_OF, rank)) {
            for (byte[] text : PackedTexts.unpack(answer)) {
                throw new InvalidInputException(
                        "vertex \"%s\" has properties twice; leave one of its lines out"
                                .formatted(new String(text, StandardCharsets.UTF_8)));
            }
        }
    }

    /** First rank of each slave's vertices, and behind them the number of vertices. */
    private long[] evenBounds(long vertices) {
        long[] bounds = new long[group.size() + 1];
        Arrays.setAll(bounds, i -> i * vertices / group.size()); // vertices fit into 40 bits
        return bounds;
    }

    private long[] ranks(SourceDescription source) {
        if (source.dense()) {
            return evenBounds(source.vertexCount());
        }
        return source.textIds() ? rankTexts() : rankIds();
    }

    /** The same as {@link #rankIds} with ids that are texts. */
    private long[] rankTexts() {
        List<byte[]> all = new ArrayList<>();
        all(Step.SAMPLE_IDS, SAMPLES_PER_SLAVE)
                .forEach(sample -> all.addAll(PackedTexts.unpack(sample)));
        all.sort(Arrays::compareUnsigned);
        List<byte[]> splitters = new ArrayList<>();
        for (int i = 1; i < group.size(); i++) {
            int at = (int) ((long) i * all.size() / group.size());
            splitters.add(all.isEmpty() ? new byte[0] : all.get(at));
        }
        return rank(PackedTexts.pack(splitters));
    }

    /** Ranks ids of a sparse source; the first rank of each slave's range, and behind the last. */
    private long[] rankIds() {
        List<long[]> samples = all(Step.SAMPLE_IDS, SAMPLES_PER_SLAVE);
        long[] all = samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        long[] splitters = new long[group.size() - 1];
        for (int i = 0; i < splitters.length; i++) {
            splitters[i] = all.length == 0 ? 0 : all[(int) ((i + 1L) * all.length / group.size())];
        }
        return rank(splitters);
    }

    private long[] rank(long[] splitters) {
        List<long[]> counts = all(Step.EXCHANGE_IDS, 0, splitters);
        long[] bounds = new long[group.size() + 1];
        for (int i = 0; i < group.size(); i++) {
            bounds[i + 1] = bounds[i] + counts.get(i)[0];
        }
        each(Step.RANK_IDS, 0, slave -> new long[] {bounds[slave]});
        return bounds;
    }

    private List<long[]> all(Step step, long number, long... numbers) {
        return each(step, number, _ -> numbers);
    }

    private List<long[]> each(Step step, long number, IntFunction<long[]> numbers) {
        int[] none = {};
        List<Numbers> answers =
                group.each(slave -> new BuildStep(build, step, number, numbers.apply(slave), none));
        return answers.stream().map(Numbers::values).toList();
    }

    private Made describe(
            String graph,
            SourceDescription source,
            BuildOptions options,
            long[] runs,
            long[] firsts,
            int[] owners,
            List<RowReport> rows) {
        int shards = owners.length;
        long[] out = new long[shards];
        long[] in = new long[options.directed() && options.incoming() ? shards : 0];
        long[] ids = new long[shards];
        List<StoredProperty> properties = properties(source);
        boolean valued = !properties.isEmpty() || source.textIds();
        long[] propertyRanges = new long[valued ? shards : 0];
        long stored = 0;
        long duplicates = 0;
        long stringBytes = 0;
        for (RowReport report : rows) {
            for (int i = 0; i < report.shards().length; i++) {
                int shard = report.shards()[i];
                out[shard] = report.outRanges()[i];
                if (in.length > 0) {
                    in[shard] = report.inRanges()[i];
                }
                ids[shard] = report.idChunks()[i];
                if (propertyRanges.length > 0) {
                    propertyRanges[shard] = report.propertyRanges()[i];
                }
            }
            stored += report.storedEdges();
            duplicates += report.duplicates();
            stringBytes += report.stringBytes();
        }
        int perEdge = options.directed() ? 1 : 2;
        GraphDescriptor descriptor =
                new GraphDescriptor(
                        graph,
                        stored / perEdge,
                        options.directed(),
                        source.weighted(),
                        options.incoming(),
                        AdjacencyLayout.targetBytes(firsts[shards], options.wideNeighbours()),
                        runs,
                        firsts,
                        owners,
                        out,
                        in,
                        ids,
                        properties,
                        propertyRanges,
                        stringBytes,
                        source.textIds(),
                        build);
        SaveDescriptor command =
                new SaveDescriptor(build, replicated, DescriptorChunk.text(descriptor));
        descriptorChunk = group.one(group.slaves()[0], command).values()[0];
        Owned owned = new Owned(Attempt.job(Attempt.term(build)), descriptorChunk);
        try {
            store.names().register(owned.name(), descriptorChunk);
        } catch (IndeterminateException perhaps) {
            named = true;
            throw perhaps;
        }
        named = true;
        return new Made(descriptor, descriptorChunk, duplicates / perEdge);
    }

    /** Those of vertices, then those of edges, as their values lie in chunks. */
    private static List<StoredProperty> properties(SourceDescription source) {
        List<StoredProperty> properties = new ArrayList<>();
        source.vertexProperties().forEach(one -> properties.add(StoredProperty.of(one, false)));
        source.edgeProperties().forEach(one -> properties.add(StoredProperty.of(one, true)));
        return properties;
    }

    private void attach(Made made) {
        group.all(
                new Attach(
                        build,
                        made.descriptor.name(),
                        made.chunk,
                        build,
                        made.descriptor.shardOwners(),
                        List.of(),
                        GraphVersion.NONE,
                        false,
                        List.of()));
    }
}
