package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestPrograms;
import org.starling.compute.TextEdges;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.TextId;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Graphs whose ids are texts where peers or the master are lost, and what is left behind. */
@Tag("thorough")
@Timeout(60)
final class TextLossTest {
    /** The catalogue itself. */
    private static final int CATALOGUE = 1;

    private static final long JOB = 1_000;
    private static final TextEdges EDGES = TextEdges.randomValued(41, 300, 1_500);

    @TempDir private Path folder;

    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(4);
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Tag("slow")
    @Test
    void stayTheSameWhenASlaveIsLostWhileTheyAreReadOrKept() {
        List<String> expected = expected();
        for (String step : List.of("reading edges", "building rows")) {
            group.close();
            group = TestGroup.durable(4);
            MasterSession session = begin(2, when(step, () -> group.kill(2)));
            session.beginTask(0);
            build(session);

            assertThat(values(session, "all")).isEqualTo(expected);
            assertThat(session.recoveryEvents()).hasSize(1);
            session.endTask();
            session.endJob();
            assertThat(group.chunksOfLiving()).as(step).isZero();
        }
    }

    @Test
    void stayTheSameWhenASlaveIsLostBehindTheBuild() {
        MasterSession session = begin(2, JobListener.SILENT);
        session.beginTask(0);
        build(session);

        group.kill(1);
        assertThat(values(session, "all")).isEqualTo(expected());
        List<String> ids = List.copyOf(EDGES.ids());
        assertThat(session.numbers("all", ids))
                .isEqualTo(LongStream.range(0, ids.size()).toArray());
        session.endTask();
        session.endJob();
        assertThat(group.chunksOfLiving()).isZero();
    }

    @Test
    void stayTheSameWithOtherPeers() {
        JobListener change =
                at(
                        1,
                        0,
                        () -> {
                            group.join();
                            group.letLeave(0);
                        });
        MasterSession session = begin(2, change);
        session.beginTask(0);
        build(session);

        assertThat(values(session, "all")).isEqualTo(expected());
        assertThat(session.moves()).isEqualTo(1);
        session.project("all", "length < 20", "", "part");
        assertThat(session.texts("part", new long[] {0, 1}))
                .isEqualTo(EDGES.ids().stream().filter(id -> id.length() < 20).limit(2).toList());
        session.endTask();
        session.endJob();
        assertThat(group.chunks()).isZero();
    }

    @Tag("slow")
    @Test
    void goOnUnderANewMaster() {
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(JOB << 7 | 1, ALWAYS);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        build(old);
        old.endTask();
        old.beginTask(1);
        old.project("all", "length < 20", "", "part");

        MasterSession young = group.master(JOB << 7 | 2, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(1);
        young.project("all", "length < 20", "", "part");
        assertThat(values(young, "all")).isEqualTo(expected());
        young.endTask();
        young.endJob();
        assertThat(group.chunks()).isZero();
    }

    @Test
    void areKeptCopiedRenamedAndDroppedWithTheirGraph() {
        MasterSession first = begin(2, JobListener.SILENT);
        first.beginTask(0);
        build(first);
        first.keep("all");
        first.endTask();
        first.endJob();
        long kept = group.chunks();

        service().copy("all", "other");
        service().drop("all");
        assertThat(group.chunks()).as("as many in the copy").isEqualTo(kept);
        service().rename("other", "again");
        MasterSession second = begin(3, at(1, 0, () -> group.kill(0)));
        second.beginTask(0);
        assertThat(second.info("again").textIds()).isTrue();
        assertThat(values(second, "again")).isEqualTo(expected());
        second.endTask();
        second.endJob();
        service().drop("again");

        assertThat(group.chunksOfLiving()).isEqualTo(CATALOGUE);
    }

    @Test
    void refuseToChangeWithTheTopology() {
        MasterSession session = begin(2, JobListener.SILENT);
        session.beginTask(0);
        session.build(
                "plain",
                TextEdges.NAME,
                TextEdges.inParts(2).edge("a", "b").named(),
                BuildOptions.UNDIRECTED);

        assertThatThrownBy(() ->
                        session.run("plain", TestPrograms.NAME, TestPrograms.named(Changing::new)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("the ids of graph \"plain\" are texts");
        session.endTask();
        session.endJob();
        assertThat(group.chunks()).isZero();
    }

    /** For each id the least one of its component, in the order of ids. */
    private static List<String> expected() {
        SortedMap<String, SortedSet<String>> rows = EDGES.neighbours();
        Map<String, String> leasts = new HashMap<>();
        for (String least : rows.keySet()) {
            if (leasts.putIfAbsent(least, least) == null) {
                Deque<String> reached = new ArrayDeque<>(List.of(least));
                while (!reached.isEmpty()) {
                    for (String next : rows.getOrDefault(reached.remove(), new TreeSet<>())) {
                        if (leasts.putIfAbsent(next, least) == null) {
                            reached.add(next);
                        }
                    }
                }
            }
        }
        return rows.keySet().stream()
                .map(id -> TextId.field(id) + " " + TextId.field(leasts.getOrDefault(id, "")))
                .toList();
    }

    private List<String> values(MasterSession session, String graph) {
        session.run(graph, TestPrograms.NAME, TestPrograms.named(Least::new));
        Path file = folder.resolve("least.txt");
        session.write(graph, "least", file);
        return TextEdges.lines(file);
    }

    private static void build(MasterSession session) {
        session.build("all", TextEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
    }

    private CatalogueService service() {
        return new CatalogueService(group.node(-1), InstantSource.system());
    }

    private MasterSession begin(long term, JobListener listener) {
        return group.begin(term, CheckpointOptions.NONE, listener);
    }

    /** Acts when a step begins for the first time. */
    private static JobListener when(String step, Runnable act) {
        return new JobListener() {
            private boolean done;

            @Override
            public void progress(String what, long now, long total) {
                if (what.equals(step) && !done) {
                    done = true;
                    act.run();
                }
            }

            @Override
            public void superstep(int now, long active, long messages) {}
        };
    }

    /** Every vertex learns the least id of its component. */
    private static final class Least implements VertexProgram {
        private LongState least;
        private LongChannel offers;

        @Override
        public void declare(Declaration graph) {
            least = graph.idState("least", Long.MAX_VALUE);
            offers = graph.longChannel("offers", LongCombiner.MIN);
        }

        @Override
        public void start(Vertex v) {
            improve(v, v.id());
        }

        @Override
        public void compute(Vertex v) {
            long offered = offers.received(v);
            if (offered < least.get(v)) {
                improve(v, offered);
            }
        }

        private void improve(Vertex v, long value) {
            least.set(v, value);
            offers.broadcast(v, value);
        }
    }

    /** Wants to change the graph. */
    private static final class Changing implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.topology();
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }
}
