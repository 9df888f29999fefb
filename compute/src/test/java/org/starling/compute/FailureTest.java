package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Programs that fail or are cancelled, and the cluster afterwards. */
@Timeout(60)
final class FailureTest {
    private static final int VERTICES = 400;

    @AutoClose private static final Clusters clusters = new Clusters();

    private static String graph(int peers) {
        return clusters.build(peers, TestEdges.random(7, VERTICES, 1_600), BuildOptions.UNDIRECTED);
    }

    private static void fails(int peers, String graph, Supplier<Program> program, String... words) {
        assertThatThrownBy(() -> clusters.run(peers, graph, program))
                .isInstanceOf(JobFailedException.class)
                .satisfies(thrown -> assertThat(thrown.getMessage()).contains(words));
        isHealthy(peers, graph);
    }

    private static void isHealthy(int peers, String graph) {
        GraphSession session = clusters.session(peers);
        session.run(graph, LeastId.NAME, Parameters.NONE);
        assertThat(clusters.longsById(peers, graph, "least")[0]).isZero();
    }

    /** Does something at one vertex in one superstep. */
    private static final class Trap implements VertexProgram {
        private final long id;
        private final int superstep;
        private final LongConsumer action;
        private IntChannel channel;

        private Trap(long id, int superstep, LongConsumer action) {
            this.id = id;
            this.superstep = superstep;
            this.action = action;
        }

        @Override
        public void declare(Declaration graph) {
            channel = graph.intChannel("channel", IntCombiner.SUM);
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            channel.broadcast(v, 1);
            if (v.id() == id && v.superstep() == superstep) {
                action.accept(v.id());
            }
        }

        @Override
        public void afterSuperstep(Master master) {
            if (master.superstep() == 5) {
                master.halt();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void namesVertexAndSuperstepOfAProgramThatThrows(int peers) {
        String graph = graph(peers);
        for (long id : new long[] {0, 199, VERTICES - 1}) {
            LongConsumer divide =
                    _ -> {
                        throw new ArithmeticException("no quotient");
                    };
            fails(
                    peers,
                    graph,
                    () -> new Trap(id, 2, divide),
                    "vertex " + id,
                    "superstep 2",
                    "no quotient",
                    Trap.class.getName());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void survivesErrorsAndHiddenCheckedExceptions(int peers) {
        String graph = graph(peers);

        fails(peers, graph, () -> new Trap(5, 1, id -> deep(id)), "StackOverflow", "vertex 5");
        fails(
                peers,
                graph,
                () -> new Trap(5, 0, id -> FailureTest.<RuntimeException>hide(new Exception("x"))),
                "Exception: x",
                "vertex 5");
    }

    private static long deep(long depth) {
        return depth < 0 ? depth : deep(depth + 1) + 1;
    }

    @SuppressWarnings("unchecked") // the point: the compiler is deceived
    private static <E extends Exception> void hide(Exception hidden) throws E {
        throw (E) hidden;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void failsForEveryVertexAtOnceWithTheProgramsReason(int peers) {
        String graph = graph(peers);
        for (int attempt = 0; attempt < 20; attempt++) {
            assertThatThrownBy(() -> clusters.run(peers, graph, EverybodyThrows::new))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("everybody");
        }
        isHealthy(peers, graph);
    }

    /** Throws everywhere. */
    private static final class EverybodyThrows implements VertexProgram {
        @Override
        public void declare(Declaration graph) {}

        @Override
        public void start(Vertex v) {
            throw new IllegalStateException("everybody");
        }

        @Override
        public void compute(Vertex v) {}
    }

    /** Touches what is not its own. */
    private static final class Trespasser implements VertexProgram {
        private final int what;
        private IntChannel channel;
        private IntState state;

        private Trespasser(int what) {
            this.what = what;
        }

        @Override
        public void declare(Declaration graph) {
            channel = graph.intChannel("channel", IntCombiner.SUM);
            state = graph.intState("state", 0);
        }

        @Override
        public void start(Vertex v) {
            if (v.id() == 10) {
                switch (what) {
                    case 0 -> channel.send(VERTICES, 1);
                    case 1 -> channel.send(-1, 1);
                    case 2 -> channel.broadcast(VERTICES - 1, 1);
                    case 3 -> channel.received(VERTICES - 1);
                    case 4 -> state.set(VERTICES, 1);
                    default -> state.set(-1, 1);
                }
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesVerticesThatDoNotExistOrAreNotOwn(int peers) {
        String graph = graph(peers);

        fails(peers, graph, () -> new Trespasser(0), "no vertex with ordinal 400", "vertex 10");
        fails(peers, graph, () -> new Trespasser(1), "no vertex with ordinal -1");
        fails(peers, graph, () -> new Trespasser(2), "not in the shard");
        fails(peers, graph, () -> new Trespasser(3), "not in the shard");
        fails(peers, graph, () -> new Trespasser(4), "vertex 10");
        fails(peers, graph, () -> new Trespasser(5), "vertex 10");
    }

    /** Combines until it meets a value that it does not like. */
    private static final class Squeamish implements IntCombiner {
        @Override
        public int combine(int left, int right) {
            if (right == 13 || left == 13) {
                throw new IllegalStateException("not this number");
            }
            return left + right;
        }

        @Override
        public int identity() {
            return 0;
        }
    }

    /** Says the number at one vertex, in one of the ways. */
    private static final class Provoker implements VertexProgram {
        private final boolean everybody;
        private IntChannel channel;

        private Provoker(boolean everybody) {
            this.everybody = everybody;
        }

        @Override
        public void declare(Declaration graph) {
            channel = graph.intChannel("channel", new Squeamish());
        }

        @Override
        public void start(Vertex v) {
            if (v.id() == 3) {
                channel.broadcast(v, 13);
            } else if (everybody) {
                channel.broadcast(v, 1);
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void failsWhenACombinerThrows(int peers) {
        String graph = graph(peers);

        fails(peers, graph, () -> new Provoker(true), "not this number");
        fails(peers, graph, () -> new Provoker(false), "not this number");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void cancelsAnEndlessProgramSoon(int peers) throws InterruptedException {
        String graph = graph(peers);
        CountDownLatch running = new CountDownLatch(20);
        JobListener listener = counting(running);
        Thread canceller = cancelWhen(running, peers);

        long begin = System.nanoTime();
        assertThatThrownBy(() ->
                        clusters.cluster(peers)
                                .session(listener)
                                .run(graph, Endless.NAME, Parameters.NONE))
                .isInstanceOf(JobCancelledException.class);

        canceller.join();
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(50));
        isHealthy(peers, graph);
        assertThatThrownBy(() -> clusters.longs(peers, graph, "unfinished"))
                .isInstanceOf(InvalidInputException.class);
    }

    private static Thread cancelWhen(CountDownLatch running, int peers) {
        return Thread.startVirtualThread(() -> {
            try {
                running.await();
                clusters.cluster(peers).cancel();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static JobListener counting(CountDownLatch running) {
        return new JobListener() {
            @Override
            public void progress(String what, long done, long total) {}

            @Override
            public void superstep(int superstep, long active, long messages) {
                running.countDown();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void cancelsInTheMiddleOfReadingAndLeavesNothing(int peers) throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        TestEdges edges = TestEdges.sparse().parts(3);
        for (int i = 0; i < 30_000; i++) {
            edges.edge(i % 1_000, i * 31L % 20_000);
        }
        edges.beforeEnd(reading::countDown);
        Thread canceller = cancelWhen(reading, peers);

        try {
            clusters.session(peers)
                    .build("cancelled", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
            clusters.session(peers).drop("cancelled"); // it was faster than the cancel
        } catch (JobCancelledException e) {
            assertThat(clusters.session(peers).graphs()).doesNotContain("cancelled");
        }
        canceller.join();
        clusters.session(peers)
                .build("cancelled", TestEdges.NAME, edges.named(), BuildOptions.UNDIRECTED);
        isHealthy(peers, "cancelled");
        clusters.session(peers).drop("cancelled");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        String graph = graph(1);
        GraphSession session = clusters.session(1);

        assertThatThrownBy(() -> session.run(graph, "no.program", Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no.program")
                .hasMessageContaining(LeastId.NAME);
        assertThatThrownBy(() -> session.run("none", LeastId.NAME, Parameters.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() ->
                        session.build("x", "no.source", Parameters.NONE, BuildOptions.DIRECTED))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(RingEdges.NAME);
        assertThatThrownBy(() ->
                        session.build(
                                graph,
                                TestEdges.NAME,
                                TestEdges.dense(0, 1).named(),
                                BuildOptions.DIRECTED))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> session.read(graph, "nothing"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nothing");
        assertThatThrownBy(() -> session.drop("none")).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void stopsWithoutAJobHavingRun() {
        try (ComputeCluster idle =
                ComputeCluster.start(new ClusterOptions(2, false, 1, 32 << 20))) {
            assertThat(idle.peers()).isEqualTo(2);
            assertThat(idle.separateProcesses()).isFalse();
            assertThat(idle.peakResidentBytes()).hasSize(1).allMatch(bytes -> bytes > 0);
            assertThat(idle.promise()).contains("durability");
            assertThat(idle.statistics()).isEqualTo(new JobStatistics(0, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, ClusterOptions.MAX_PEERS + 1})
    void refusesClusterSizesOutOfBounds(int peers) {
        assertThatThrownBy(() -> ClusterOptions.of(peers, false))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
