package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.LeastId;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.GraphInfo;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;
import org.starling.net.NativeMemory;
import org.starling.net.NetException;
import org.starling.store.StoreNode;

/** Connections of a master and slaves break, and all of these live on. */
@Timeout(120)
final class BrokenConnectionTest {
    private static final int ROUNDS = 8;
    private static final int WORKERS = 6;
    private static final TestEdges EDGES = TestEdges.random(3, 20_000, 200_000);

    private final long before = NativeMemory.reservedBytes();
    private TestGroup group;
    private int jobs = 7;

    @BeforeEach
    void open() {
        group = new TestGroup(3);
    }

    /** What is freed twice shows as less than before. */
    @AfterEach
    void close() {
        group.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void neverCostAGraphItsEdges() {
        GraphInfo whole = inJob(this::build);

        for (int i = 0; i < ROUNDS; i++) {
            GraphInfo built = inJob(session -> breaking(() -> build(session)));
            assertThat(built).isEqualTo(whole);
        }
    }

    @Tag("thorough")
    @Test
    void neverCostAProgramWhatOthersSaid() {
        long whole = inJob(session -> sum(session, () -> run(session)));

        for (int i = 0; i < ROUNDS; i++) {
            long found = inJob(session -> sum(session, () -> breaking(() -> run(session))));
            assertThat(found).isEqualTo(whole);
        }
    }

    private <T> T inJob(java.util.function.Function<MasterSession, T> work) {
        MasterSession session =
                group.begin(Attempt.term(jobs++, 1), CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        T result = work.apply(session);
        assertThat(session.recoveryEvents()) // who is still there is not told of as lost
                .extracting(RecoveryEvent::node)
                .doesNotContainAnyElementsOf(Arrays.stream(group.members().get()).boxed().toList());
        session.endTask();
        session.endJob();
        return result;
    }

    /** The third waits for what these have to tell it. */
    @Tag("thorough")
    @Test
    void ofTwoThatDoNotFindEachOtherForAMomentStopNoThird() {
        long whole = inJob(session -> sum(session, () -> run(session)));

        for (int i = 0; i < ROUNDS / 2; i++) {
            long found = inJob(session -> sum(session, () -> parting(() -> run(session))));
            assertThat(found).isEqualTo(whole);
        }
    }

    /** Two nodes can't make new connections for a moment while something is done. */
    private <T> T parting(Supplier<T> work) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(work);
        pause(ThreadLocalRandom.current().nextInt(1, 60));
        group.part(0, 1, () -> pause(300));
        return result.join();
    }

    @Test
    void areLossesThoughAProgramSaysSoInItsOwnWords() {
        Parting none = new Parting();
        none.parted.countDown();
        long whole = inJob(session -> sum(session, () -> run(session, none)));
        Parting parting = new Parting();

        long found =
                inJob(session ->
                        sum(
                                session,
                                () -> {
                                    CompletableFuture<Object> run =
                                            CompletableFuture.supplyAsync(
                                                    () -> run(session, parting));
                                    await(parting.begun);
                                    group.part(
                                            0,
                                            1,
                                            () -> {
                                                parting.parted.countDown();
                                                await(parting.refused);
                                            });
                                    return run.join();
                                }));

        assertThat(found).isEqualTo(whole);
    }

    private static Object run(MasterSession session, Parting parting) {
        return session.run("g", TestPrograms.NAME, TestPrograms.named(() -> new Courier(parting)));
    }

    /** In the middle of a superstep, in which all workers of all slaves are. */
    private static final class Parting {
        private final CountDownLatch begun = new CountDownLatch(WORKERS);
        private final CountDownLatch parted = new CountDownLatch(1);
        private final CountDownLatch refused = new CountDownLatch(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends along edges when connections have parted, and has words of its own for that. */
    private static final class Courier implements VertexProgram {
        private final Parting parting;
        private boolean hasBegun;
        private LongChannel calls;
        private LongState least;

        Courier(Parting parting) {
            this.parting = parting;
        }

        @Override
        public void declare(Declaration graph) {
            calls = graph.longChannel("calls", LongCombiner.MIN);
            least = graph.longState("least", 0);
        }

        @Override
        public void start(Vertex v) {
            if (!hasBegun) {
                hasBegun = true;
                parting.begun.countDown();
            }
            await(parting.parted);
            try {
                for (EdgeCursor edge = v.edges(); edge.next(); ) {
                    calls.send(edge.target(), v.ordinal());
                }
            } catch (NetException e) {
                parting.refused.countDown();
                throw new IllegalStateException("nobody hears vertex " + v.ordinal(), e);
            }
        }

        @Override
        public void compute(Vertex v) {
            least.set(v, calls.received(v));
        }
    }

    /** What an attempt does that failed ends, though its slave does not hear that at once. */
    @Tag("thorough")
    @Test
    void ofTheMasterLeaveNothingBehind() {
        GraphInfo whole = inJob(this::build);

        for (int i = 0; i < ROUNDS; i++) {
            GraphInfo built = inJob(session -> breaking(group.node(-1), 30, () -> build(session)));
            assertThat(built).isEqualTo(whole);
        }
    }

    /** A run that has failed is ended, and a worker is still in it when that is asked for again. */
    @Test
    void ofTheMasterEndARunOnce() {
        long whole = inJob(session -> sum(session, () -> run(session)));

        long found =
                inJob(session ->
                        sum(
                                session,
                                () -> {
                                    sleepInTheMiddleOfBreaks(session);
                                    return run(session);
                                }));

        assertThat(found).isEqualTo(whole);
    }

    private void sleepInTheMiddleOfBreaks(MasterSession session) {
        CompletableFuture<Object> run =
                CompletableFuture.supplyAsync(() ->
                        session.run("g", TestPrograms.NAME, TestPrograms.named(Sleeper::new)));
        for (int i = 0; i < 2; i++) {
            pause(400);
            group.node(-1).network().disconnect(group.node(0).nodeId());
        }
        isSlow = false;
        Object _ = run.join();
    }

    private static volatile boolean isSlow = true;

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Takes a second and a half in one of its vertices, while that is wanted. */
    private static final class Sleeper implements VertexProgram {
        private LongChannel calls;

        @Override
        public void declare(Declaration graph) {
            calls = graph.longChannel("calls", LongCombiner.MIN);
        }

        @Override
        public void start(Vertex v) {
            if (v.ordinal() % 1_000 == 7 && isSlow) {
                pause(1_500);
            }
            calls.broadcast(v, v.ordinal());
        }

        @Override
        public void compute(Vertex v) {}
    }

    /** Breaks connections of slaves while something is done. */
    private <T> T breaking(Supplier<T> work) {
        return breaking(group.node(0), 3, work);
    }

    private <T> T breaking(StoreNode breaker, int times, Supplier<T> work) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(work);
        for (int i = 0; i < times && !result.isDone(); i++) {
            LockSupport.parkNanos(
                    TimeUnit.MILLISECONDS.toNanos(
                            ThreadLocalRandom.current().nextInt(1, 120 / times)));
            breaker.network().disconnect(group.node(1 + i % 2).nodeId());
        }
        return result.join();
    }

    private GraphInfo build(MasterSession session) {
        return session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED).graph();
    }

    private Object run(MasterSession session) {
        return session.run("g", LeastId.NAME, Parameters.NONE);
    }

    private long sum(MasterSession session, Supplier<?> run) {
        build(session);
        Object _ = run.get();
        long sum = 0;
        try (StateCursor cursor = session.read("g", "least")) {
            while (cursor.next()) {
                sum += cursor.asLong();
            }
        }
        return sum;
    }
}
