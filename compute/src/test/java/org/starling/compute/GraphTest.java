package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.Adjacency;
import org.starling.graph.BooleanState;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.StateCursor;
import org.starling.graph.TextOutput;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Graphs are what their edges say, and what programs write is what comes out. */
final class GraphTest {
    private static final long SEED = 4711;

    @AutoClose private static final Clusters clusters = new Clusters();

    @TempDir Path folder;

    /** Digests every vertex: id, degree, targets, weights. */
    private static final class Digest implements VertexProgram {
        private LongState digest;

        @Override
        public void declare(Declaration graph) {
            digest = graph.longState("digest", 0);
        }

        @Override
        public void start(Vertex v) {
            long value = v.id() * 31 + v.degree();
            for (EdgeCursor edge = v.edges(); edge.next(); ) {
                value = digest(value, edge.target(), edge.weight());
            }
            digest.set(v, value);
        }

        @Override
        public void compute(Vertex v) {}

        static long digest(long before, long target, float weight) {
            return before * 1_000_003 + target * 17 + Float.floatToIntBits(weight);
        }
    }

    private static void matches(int peers, TestEdges edges, boolean directed) {
        BuildOptions options = new BuildOptions(directed, true);
        matches(peers, edges, options);
        matches(peers, edges, options.withWideNeighbours());
        if (directed) {
            matches(peers, edges, BuildOptions.DIRECTED.withoutIncoming());
        }
    }

    private static void matches(int peers, TestEdges edges, BuildOptions options) {
        ModelGraph model = new ModelGraph(edges, options.directed());
        String name = "matched-" + SEED;
        GraphSession session = clusters.session(peers);
        BuildResult built = session.build(name, TestEdges.NAME, edges.named(), options);
        GraphInfo info = built.graph();

        assertThat(info.vertices()).isEqualTo(model.vertices());
        assertThat(info.storedEdges()).isEqualTo(model.storedEdges());
        assertThat(built.skippedSelfLoops()).isEqualTo(model.selfLoops);
        assertThat(built.skippedDuplicates()).isEqualTo(model.duplicates);
        assertThat(session.info(name)).isEqualTo(info);
        session.run(name, TestPrograms.NAME, TestPrograms.named(Digest::new));
        long[] digests = clusters.longs(peers, name, "digest");
        for (int v = 0; v < model.vertices(); v++) {
            long digest = model.ids[v] * 31 + model.out.get(v).size();
            for (Map.Entry<Integer, Float> edge : model.out.get(v).entrySet()) {
                digest = Digest.digest(digest, edge.getKey(), edge.getValue());
            }
            assertThat(digests[v])
                    .as("vertex %d of %d, seed %d, %d peers", v, model.vertices(), SEED, peers)
                    .isEqualTo(digest);
        }
        checkIds(session, name, model);
        if (options.keepInputDegrees()) {
            checkInputDegrees(peers, name, edges, model);
        }
        checkShares(session.shares(name), info, options);
        session.drop(name);
    }

    private static void checkShares(List<GraphShare> shares, GraphInfo info, BuildOptions options) {
        int targetBytes = options.wideNeighbours() ? 8 : 4;
        int directions = options.directed() && options.incoming() ? 2 : 1;
        long stored = shares.stream().mapToLong(GraphShare::storedNeighbours).sum();
        long bytes = shares.stream().mapToLong(GraphShare::neighbourBytes).sum();

        assertThat(info.neighbourBytes()).isEqualTo(targetBytes);
        assertThat(info.incoming()).isEqualTo(options.incoming());
        assertThat(stored).isEqualTo(directions * info.storedEdges());
        assertThat(bytes).isEqualTo(stored * (targetBytes + (info.weighted() ? 4 : 0)));
    }

    private static void checkIds(GraphSession session, String name, ModelGraph model) {
        for (int v = 0; v < model.vertices(); v += Math.max(1, model.vertices() / 11)) {
            assertThat(session.id(name, v)).isEqualTo(model.ids[v]);
            assertThat(session.ordinal(name, model.ids[v])).isEqualTo(v);
        }
        long last = model.vertices();
        assertThatThrownBy(() -> session.id(name, last))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> session.ordinal(name, 987_654_321_987L))
                .isInstanceOf(InvalidInputException.class);
    }

    private static void checkInputDegrees(
            int peers, String name, TestEdges edges, ModelGraph model) {
        long[] expected = new long[model.vertices()];
        for (TestEdges.Edge edge : edges.edges()) {
            if (edge.from() != edge.to()) {
                expected[model.ordinal(edge.from())]++;
                expected[model.ordinal(edge.to())]++;
            }
        }
        assertThat(clusters.longs(peers, name, BuildOptions.INPUT_DEGREE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void makesDenseGraphsOfTheirEdges(int peers) {
        for (boolean directed : new boolean[] {false, true}) {
            matches(peers, TestEdges.random(SEED, 700, 3_000), directed);
            matches(peers, TestEdges.random(SEED, 64, 2_000), directed);
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = 2)
    void makesDenseGraphsOfTheirEdgesInMoreCases(int peers) {
        makesDenseGraphsOfTheirEdges(peers);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void makesSparseGraphsOfTheirEdges(int peers) {
        Random random = new Random(SEED);
        for (boolean directed : new boolean[] {false, true}) {
            TestEdges edges = TestEdges.sparse().parts(4);
            for (int i = 0; i < 2_500; i++) {
                edges.edge(id(random), id(random));
            }
            for (int i = 0; i < 20; i++) {
                edges.vertex(id(random));
            }
            edges.edge(0, Long.MAX_VALUE).edge(Long.MAX_VALUE, 0).edge(5, 5).vertex(0);
            matches(peers, edges, directed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void takesIdsAsUnsignedNumbersAndKeepsTheirOrder(int peers) throws IOException {
        Random random = new Random(SEED);
        TestEdges edges = TestEdges.sparse().parts(4).edge(-1, 0).edge(Long.MIN_VALUE, -1);
        for (int i = 0; i < 400; i++) {
            edges.edge(id(random) * (random.nextBoolean() ? 1 : -1), id(random));
        }
        matches(peers, edges, true);
        TestEdges high = TestEdges.dense(-5, 3).edge(-5, -3);
        matches(peers, high, false);

        String graph = clusters.build(peers, high, BuildOptions.UNDIRECTED);
        clusters.run(peers, graph, Digest::new);
        Path file = folder.resolve("digests");
        clusters.session(peers).write(graph, "digest", file);

        assertThat(Files.readAllLines(file).get(2)).startsWith("18446744073709551613 ");
    }

    private static long id(Random random) {
        int small = random.nextInt(600);
        return small % 2 == 0 ? small : small * 1_000_000_007L;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void keepsTheSmallestWeightOfDuplicates(int peers) {
        Random random = new Random(SEED);
        for (boolean directed : new boolean[] {false, true}) {
            TestEdges edges = TestEdges.sparseWeighted().parts(3);
            for (int i = 0; i < 1_500; i++) {
                edges.edge(
                        random.nextInt(40) * 3L,
                        random.nextInt(40) * 3L,
                        random.nextFloat() - 0.4f);
            }
            matches(peers, edges, directed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void makesGraphsOfAlmostNothing(int peers) {
        matches(peers, TestEdges.dense(7, 1), false);
        matches(peers, TestEdges.dense(7, 2).edge(8, 7), true);
        matches(peers, TestEdges.sparse().vertex(99), false);
        matches(peers, TestEdges.sparse().edge(3, 3).parts(9), false);
        matches(peers, TestEdges.dense(0, 1_000), true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void makesTheEmptyGraph(int peers) {
        for (TestEdges edges : List.of(TestEdges.dense(0, 0), TestEdges.sparse())) {
            String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);

            assertThat(clusters.session(peers).info(graph).vertices()).isZero();
            assertThat(clusters.run(peers, graph, Digest::new).supersteps()).isEqualTo(1);
            assertThat(clusters.longs(peers, graph, "digest")).isEmpty();
        }
    }

    @Test
    void cutsTheSameShardsWhateverThePeers() {
        List<GraphInfo> infos = new ArrayList<>();
        for (int peers = 1; peers <= 3; peers++) {
            GraphSession session = clusters.session(peers);
            infos.add(
                    session.build(
                                    "cut",
                                    TestEdges.NAME,
                                    TestEdges.random(SEED, 7_000, 20_000).named(),
                                    BuildOptions.UNDIRECTED)
                            .graph());
        }

        assertThat(infos).containsOnly(infos.get(0));
        assertThat(infos.get(0).shards()).isGreaterThanOrEqualTo(32);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesBadVerticesAndLeavesNothing(int peers) {
        GraphSession session = clusters.session(peers);
        Map<String, TestEdges> bad =
                Map.of(
                        "outside 10 to 14", TestEdges.dense(10, 5).edge(10, 15),
                        "no luck",
                                TestEdges.sparse()
                                        .edge(1, 2)
                                        .parts(3)
                                        .beforeEnd(() -> {
                                            throw new InvalidInputException("no luck");
                                        }));
        bad.forEach((reason, edges) -> {
            assertThatThrownBy(() ->
                            session.build(
                                    "bad", TestEdges.NAME, edges.named(), BuildOptions.DIRECTED))
                    .as(reason)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(reason);
            assertThat(session.graphs()).doesNotContain("bad");
        });
        session.build("bad", TestEdges.NAME, TestEdges.dense(0, 3).named(), BuildOptions.DIRECTED);
        session.drop("bad");
    }

    @Test
    void refusesAGraphThatCannotFitAndSaysHowMuchItNeeds() {
        GraphSession session = clusters.session(2);

        assertThatThrownBy(() ->
                        session.build(
                                "huge",
                                TestEdges.NAME,
                                TestEdges.dense(0, 1_000).claiming(1L << 33).named(),
                                BuildOptions.UNDIRECTED))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("huge")
                .hasMessageContaining("only 512 MiB for graphs")
                .hasMessageContaining("needs about 167,937 MiB")
                .hasMessageContaining("set memoryPerPeer");
        assertThat(session.graphs()).doesNotContain("huge");
    }

    /** Sums over in-neighbours and writes lines. */
    private static final class Shards implements ShardProgram {
        private IntChannel channel;
        private LongState result;
        private TextOutput lines;
        private TextOutput unwanted;
        private Adjacency whole;

        @Override
        public void declare(Declaration graph) {
            channel = graph.intChannel("channel", IntCombiner.SUM);
            result = graph.longState("result", -1);
            lines = graph.textOutput("lines");
            unwanted = graph.textOutput("unwanted");
            whole = graph.wholeGraph();
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                if (shard.superstep() == 0) {
                    channel.broadcast(v, (int) v);
                } else {
                    long far = (v * 31 + 5) % 500;
                    long farNeighbour = whole.degree(far) == 0 ? 0 : whole.neighbour(far, 0);
                    result.set(v, channel.received(v) * 1_000L + farNeighbour);
                }
                lines.number(shard.superstep()).character(' ').number(shard.id(v)).endLine();
                if (unwanted.isWanted()) {
                    throw new IllegalStateException("nobody wants this");
                }
                unwanted.number(1).endLine();
            }
            if (shard.adjacency().degree(shard.first()) != whole.degree(shard.first())) {
                throw new IllegalStateException("two rows of one vertex differ");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void runsShardProgramsOverTheWholeGraph(int peers) throws IOException {
        TestEdges edges = TestEdges.random(SEED, 500, 1_500);
        ModelGraph model = new ModelGraph(edges, true);
        String graph = clusters.build(peers, edges, BuildOptions.DIRECTED);
        Path file = folder.resolve("lines.txt");
        Files.writeString(file, "what was there before");

        int supersteps =
                clusters.session(peers)
                        .run(
                                graph,
                                TestPrograms.NAME,
                                TestPrograms.named(Shards::new),
                                RunOptions.DEFAULT.withOutput("lines", file))
                        .supersteps();

        assertThat(supersteps).isEqualTo(2);
        long[] result = clusters.longs(peers, graph, "result");
        for (int v = 0; v < 500; v++) {
            var far = model.out.get((v * 31 + 5) % 500);
            long sum = model.in.get(v).keySet().stream().mapToInt(u -> u).sum();
            assertThat(result[v]).isEqualTo(sum * 1_000 + (far.isEmpty() ? 0 : far.firstKey()));
        }
        List<String> expected = new ArrayList<>();
        int shards = clusters.session(peers).info(graph).shards();
        int perShard = 64;
        assertThat(shards).isEqualTo((500 + perShard - 1) / perShard);
        for (int first = 0; first < 500; first += perShard) {
            for (int superstep = 0; superstep < 2; superstep++) {
                for (int v = first; v < Math.min(500, first + perShard); v++) {
                    expected.add(superstep + " " + model.ids[v]);
                }
            }
        }
        assertThat(Files.readAllLines(file)).isEqualTo(expected);
        assertThat(files()).containsExactly("lines.txt");
    }

    /** Writes lines and then fails. */
    private static final class HalfWritten implements VertexProgram {
        private final boolean fails;
        private TextOutput lines;

        private HalfWritten(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void declare(Declaration graph) {
            lines = graph.textOutput("lines");
        }

        @Override
        public void start(Vertex v) {
            if (fails && v.ordinal() == 450) {
                throw new IllegalStateException("pen is empty");
            }
            for (int i = 0; v.ordinal() == 3 && i < 300_000; i++) {
                lines.number(1_000_000).endLine();
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void writesOutputsWholeOrNotAtAll(int peers) throws IOException {
        String graph =
                clusters.build(peers, TestEdges.random(SEED, 500, 500), BuildOptions.UNDIRECTED);
        GraphSession session = clusters.session(peers);
        RunOptions options = RunOptions.DEFAULT.withOutput("lines", folder.resolve("half.txt"));
        Parameters failing = TestPrograms.named(() -> new HalfWritten(true));
        Parameters working = TestPrograms.named(() -> new HalfWritten(false));

        assertThatThrownBy(() -> session.run(graph, TestPrograms.NAME, failing, options))
                .hasMessageContaining("pen is empty");
        assertThat(files()).isEmpty();
        session.run(graph, TestPrograms.NAME, working, options);
        assertThat(files()).containsExactly("half.txt");
        assertThat(Files.size(folder.resolve("half.txt"))).isEqualTo(300_000L * 8);

        RunOptions nowhere =
                RunOptions.DEFAULT.withOutput("lines", folder.resolve("none").resolve("x.txt"));
        assertThatThrownBy(() -> session.run(graph, TestPrograms.NAME, working, nowhere))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("x.txt");
        Files.createDirectory(folder.resolve("taken"));
        Files.createFile(folder.resolve("taken").resolve("file"));
        RunOptions taken = RunOptions.DEFAULT.withOutput("lines", folder.resolve("taken"));
        assertThatThrownBy(() -> session.run(graph, TestPrograms.NAME, working, taken))
                .isInstanceOf(InvalidInputException.class);
        assertThat(files()).containsExactlyInAnyOrder("half.txt", "taken");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void writesStatesInTheOrderOfIds(int peers) throws IOException {
        TestEdges edges = TestEdges.sparse().edge(30, 10).edge(20, 900).vertex(5).parts(2);
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        GraphSession session = clusters.session(peers);
        session.run(graph, LeastId.NAME, Parameters.NONE);

        session.write(graph, "least", folder.resolve("least.txt"));

        assertThat(Files.readAllLines(folder.resolve("least.txt")))
                .containsExactly("5 5", "10 10", "20 20", "30 10", "900 20");
        assertThat(files()).containsExactly("least.txt");
        assertThatThrownBy(() -> session.write(graph, "most", folder.resolve("most.txt")))
                .isInstanceOf(InvalidInputException.class);
        assertThat(files()).containsExactly("least.txt");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void writesPartsOfAllPeersThatTogetherHoldEveryVertexOnce(int peers) throws IOException {
        Random random = new Random(SEED);
        TestEdges edges = TestEdges.sparse().parts(3).edge(7, -1);
        for (int i = 0; i < 3_000; i++) {
            edges.edge(id(random), id(random));
        }
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        GraphSession session = clusters.session(peers);
        session.run(graph, TestPrograms.NAME, TestPrograms.named(Pointer::new));
        session.write(graph, "next", folder.resolve("one.txt"));

        session.writeParts(graph, "next", folder.resolve("many.json"));
        session.writeParts(graph, "next", folder.resolve("many.json"));

        List<String> parts = files().stream().filter(name -> name.contains(".part-")).toList();
        List<String> lines = new ArrayList<>();
        for (String part : parts) {
            lines.addAll(Files.readAllLines(folder.resolve(part)));
        }
        assertThat(lines)
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(folder.resolve("one.txt")));
        String names = Files.readString(folder.resolve("many.json"));
        assertThat(parts).isNotEmpty().allSatisfy(part -> assertThat(names).contains(part));
        assertThat(files()).hasSize(parts.size() + 2);
    }

    /** Whether the original id is odd, in states that begin with either. */
    private static final class Odd implements VertexProgram {
        private BooleanState odd;
        private BooleanState even;

        @Override
        public void declare(Declaration graph) {
            odd = graph.booleanState("odd", false);
            even = graph.booleanState("even", true);
        }

        @Override
        public void start(Vertex v) {
            if (v.id() % 2 == 1) {
                odd.set(v, true);
                even.set(v, false);
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void writesBooleansOfEachVertexAlone(int peers) throws IOException {
        TestEdges edges = TestEdges.sparse().parts(3);
        for (int i = 0; i < 500; i++) {
            edges.edge(i, (i * 7L) % 500);
        }
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        GraphSession session = clusters.session(peers);
        session.run(graph, TestPrograms.NAME, TestPrograms.named(Odd::new));
        for (String state : List.of("odd", "even")) {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                expected.add(i + " " + ((i % 2 == 1) == state.equals("odd")));
            }

            session.write(graph, state, folder.resolve(state));
            session.writeParts(graph, state, folder.resolve(state + "-parts"));

            assertThat(Files.readAllLines(folder.resolve(state))).isEqualTo(expected);
            List<String> lines = new ArrayList<>();
            for (String part : files()) {
                if (part.startsWith(state + "-parts.part-")) {
                    lines.addAll(Files.readAllLines(folder.resolve(part)));
                }
            }
            assertThat(lines).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void leavesTheOlderPartsWhenNewOnesCannotBeWritten(int peers) throws IOException {
        TestEdges edges = TestEdges.sparse().edge(30, 10).edge(20, 900).vertex(5).parts(2);
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        GraphSession session = clusters.session(peers);
        session.run(graph, LeastId.NAME, Parameters.NONE);
        Path file = folder.resolve("least");
        session.writeParts(graph, "least", file);
        List<String> before = files();

        assertThatThrownBy(() -> session.writeParts(graph, "most", file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no state \"most\"");
        assertThatThrownBy(() -> session.writeParts(graph, "least", folder.resolve("none/least")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("none/least");

        assertThat(files()).containsExactlyInAnyOrderElementsOf(before);
    }

    /** The neighbour with the largest ordinal, if there is one. */
    private static final class Pointer implements VertexProgram {
        private LongState next;

        @Override
        public void declare(Declaration graph) {
            next = graph.vertexState("next");
        }

        @Override
        public void start(Vertex v) {
            for (EdgeCursor edge = v.edges(); edge.next(); ) {
                next.set(v, edge.target());
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void writesStatesThatNameVerticesWithTheirIds(int peers) throws IOException {
        TestEdges edges = TestEdges.sparse().edge(30, 10).edge(20, -1).vertex(5).parts(2);
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        GraphSession session = clusters.session(peers);
        session.run(graph, TestPrograms.NAME, TestPrograms.named(Pointer::new));

        session.write(graph, "next", folder.resolve("next.txt"));

        assertThat(Files.readAllLines(folder.resolve("next.txt")))
                .containsExactly(
                        "5 -1",
                        "10 30",
                        "20 18446744073709551615",
                        "30 10",
                        "18446744073709551615 20");
        try (StateCursor values = session.read(graph, "next")) {
            assertThat(values.next()).isTrue();
            assertThat(values.namesVertices()).isTrue();
            assertThat(values.asLong()).isEqualTo(-1);
            assertThat(values.next()).isTrue();
            assertThat(session.id(graph, values.asLong())).isEqualTo(30);
        }
    }
}
