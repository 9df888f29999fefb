package org.starling.compute;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.NodeSettings;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.group.BuildForecast;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.internal.run.MemoryForecast;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.jars.JobCode;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.SourceDescription;
import org.starling.graph.StateCursor;
import org.starling.graph.Structures;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.StoreNode;

/**
 * A session that makes no graphs and runs no programs, but says what memory they would take. Graphs
 * are as large as their sources say before they are read; programs are asked what they declare.
 * Used by one thread.
 */
public final class ForecastSession implements GraphSession, AutoCloseable {
    private static final long STORE_BYTES = 16L << 20;

    /** Programs of one task that are looked at: what later ones do depends on earlier results. */
    private static final int MAX_RUNS = 4;

    /** Ends a plan where nothing more can be told. */
    public static final class NothingMore extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NothingMore() {
            super("nothing more can be told before it runs");
        }
    }

    /**
     * What something takes, on all peers together.
     *
     * @param work a graph that is made, or a program that runs, for people
     * @param bytes at most at the same time
     * @param keptBytes what stays
     */
    public record Forecast(String work, long bytes, long keptBytes) {}

    private final JobCode code;
    private final int peers;
    private final int threads;
    private final Map<String, GraphInfo> graphs = new TreeMap<>();
    private final List<Forecast> forecasts = new ArrayList<>();
    private int runs;

    /** Where programs declare; started when the first one does. */
    private @Nullable StoreNode stage;

    /**
     * A session for a cluster of that size.
     *
     * @param threads of each peer
     * @param code what the script can name
     */
    public ForecastSession(int peers, int threads, JobCode code) {
        this.code = code;
        this.peers = peers;
        this.threads = threads;
    }

    /** What was asked for since this was called last. */
    public List<Forecast> take() {
        List<Forecast> taken = List.copyOf(forecasts);
        forecasts.clear();
        runs = 0;
        return taken;
    }

    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        SourceDescription edges =
                BuildForecast.describe(code.edgeSource(source).create(parameters));
        GraphInfo info =
                new GraphInfo(
                        graph,
                        edges.vertexCount(),
                        edges.edgeCount(),
                        options.directed(),
                        edges.weighted(),
                        options.incoming(),
                        AdjacencyLayout.targetBytes(edges.vertexCount(), options.wideNeighbours()),
                        peers);
        graphs.put(graph, info);
        BuildForecast forecast = BuildForecast.of(edges, options);
        forecasts.add(
                new Forecast(
                        "%s: about %,d vertices, %,d edges"
                                .formatted(graph, edges.vertexCount(), edges.edgeCount()),
                        forecast.neededBytes(),
                        forecast.keptBytes()));
        return new BuildResult(info, 0, 0, 0, 0);
    }

    /** As large as the other graph, at most. */
    @Override
    public BuildResult project(String graph, String vertices, String edges, String as) {
        GraphInfo of = info(graph);
        GraphInfo info =
                new GraphInfo(
                        as,
                        of.vertices(),
                        of.edges(),
                        of.directed(),
                        of.weighted(),
                        of.incoming(),
                        of.neighbourBytes(),
                        of.shards());
        graphs.put(as, info);
        SourceDescription most =
                new SourceDescription(1, false, 0, of.vertices(), of.edges(), of.weighted());
        BuildForecast forecast =
                BuildForecast.of(
                        most, new BuildOptions(of.directed(), false, of.incoming(), false));
        forecasts.add(
                new Forecast(
                        "%s: at most as much as %s".formatted(as, graph),
                        forecast.neededBytes(),
                        forecast.keptBytes()));
        return new BuildResult(info, 0, 0, 0, 0);
    }

    @Override
    public RunResult run(String graph, String program, Parameters parameters, RunOptions options) {
        if (runs++ == MAX_RUNS) {
            throw new NothingMore();
        }
        GraphInfo info = info(graph);
        StoreNode node = stage();
        NodeContext context = NodeContext.ofMaster(node);
        try (MasterRun declared =
                new MasterRun(
                        0,
                        info,
                        context,
                        peers,
                        program,
                        code.program(program).create(parameters))) {
            forecasts.add(new Forecast(program, bytes(info, declared.forecast()), 0));
        }
        return new Nothing();
    }

    private long bytes(GraphInfo info, MemoryForecast forecast) {
        long[] firsts = new long[peers + 1];
        Arrays.setAll(firsts, i -> (long) ((double) info.vertices() * i / peers));
        int[] owners = IntStream.range(0, peers).toArray();
        ShardTable shards = new ShardTable(firsts, owners);
        long foreign = 2 * info.edges() / peers * (peers - 1);
        return Arrays.stream(owners)
                .mapToLong(owner -> forecast.bytes(shards, owner, foreign, peers - 1, threads))
                .sum();
    }

    private StoreNode stage() {
        StoreNode started = stage;
        if (started == null) {
            started =
                    StoreNode.startSuperpeer(
                            NodeOptions.loopback(
                                    new LoopbackHub(), NodeSettings.embeddedConfig(STORE_BYTES)));
            stage = started;
        }
        return started;
    }

    @Override
    public GraphInfo info(String graph) {
        GraphInfo info = graphs.get(graph);
        if (info == null) {
            throw new NothingMore();
        }
        return info;
    }

    @Override
    public List<String> graphs() {
        return List.copyOf(graphs.keySet());
    }

    @Override
    public void keep(String graph) {
        info(graph);
    }

    @Override
    public void publish(String graph, String state, String as, boolean replace) {
        info(graph);
    }

    @Override
    public void drop(String graph) {
        graphs.remove(graph);
    }

    @Override
    public List<GraphShare> shares(String graph) {
        throw new NothingMore();
    }

    @Override
    public StateCursor read(String graph, String state) {
        throw new NothingMore();
    }

    @Override
    public RowCursor rows(String graph) {
        throw new NothingMore();
    }

    @Override
    public long ordinal(String graph, long id) {
        return 0;
    }

    @Override
    public long id(String graph, long ordinal) {
        return ordinal;
    }

    @Override
    public void write(String graph, String state, Path file) {
        throw new NothingMore();
    }

    @Override
    public GraphQueries queries() {
        throw new NothingMore();
    }

    @Override
    public void writeParts(String graph, String state, Path file) {
        throw new NothingMore();
    }

    @Override
    public void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        throw new NothingMore();
    }

    @Override
    public Structures structures() {
        throw new NothingMore();
    }

    @Override
    public void close() {
        StoreNode started = stage;
        if (started != null) {
            started.close();
        }
    }

    /** What a program finds that does not run: a plan may look at it, but gets nothing. */
    private static final class Nothing implements RunResult {
        @Override
        public int supersteps() {
            return 1;
        }

        @Override
        public long messages() {
            return 0;
        }

        @Override
        public SortedSet<String> states() {
            return Collections.emptySortedSet();
        }

        @Override
        public double seconds() {
            return 0;
        }

        @Override
        public long longAggregate(String name) {
            return 0;
        }

        @Override
        public double doubleAggregate(String name) {
            return 0;
        }

        @Override
        public SortedMap<String, Number> aggregates() {
            return new TreeMap<>();
        }

        @Override
        public long[] histogram(String name) {
            return new long[0];
        }
    }
}
