package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.LeastId;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphInfo;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;
import org.starling.store.StoreNode;

/** Connections of a master and slaves break, and all of these live on. */
@Timeout(120)
final class BrokenConnectionTest {
    private static final int ROUNDS = 8;
    private static final TestEdges EDGES = TestEdges.random(3, 20_000, 200_000);

    private TestGroup group;
    private int jobs = 7;

    @BeforeEach
    void open() {
        group = new TestGroup(3);
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void neverCostAGraphItsEdges() {
        GraphInfo whole = inJob(this::build);

        for (int i = 0; i < ROUNDS; i++) {
            GraphInfo built = inJob(session -> breaking(() -> build(session)));
            assertThat(built).isEqualTo(whole);
        }
    }

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
        session.endTask();
        session.endJob();
        return result;
    }

    /** What an attempt does that failed ends, though its slave does not hear that at once. */
    @Test
    void ofTheMasterLeaveNothingBehind() {
        GraphInfo whole = inJob(this::build);

        for (int i = 0; i < ROUNDS; i++) {
            GraphInfo built = inJob(session -> breaking(group.node(-1), 30, () -> build(session)));
            assertThat(built).isEqualTo(whole);
        }
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
        run.get();
        long sum = 0;
        try (StateCursor cursor = session.read("g", "least")) {
            while (cursor.next()) {
                sum += cursor.asLong();
            }
        }
        return sum;
    }
}
