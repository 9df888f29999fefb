package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.LeastId;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RunMessage.EndRun;
import org.starling.compute.internal.protocol.RunMessage.FindValues;
import org.starling.compute.internal.protocol.RunMessage.PrepareRun;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongState;
import org.starling.graph.Program;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;
import org.starling.net.NativeMemory;
import org.starling.net.Network;
import org.starling.net.RemoteException;
import org.starling.net.Request;

/** A run is ended before it has begun. */
@Timeout(60)
final class EndOfRunTest {
    private static final long TERM = Attempt.term(7, 1);
    private static final TestEdges EDGES = TestEdges.random(3, 2_000, 20_000);

    private final long before = NativeMemory.reservedBytes();
    private TestGroup group;
    private MasterSession session;

    @BeforeEach
    void open() {
        group = new TestGroup(3);
        session = group.begin(TERM, CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
    }

    @AfterEach
    void close() {
        group.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    /** The next one has a state of the same name, which would go with the first. */
    @Test
    void waitsForAProgramThatIsStillBeingMade() {
        Slow slow = new Slow();

        CompletableFuture<Object> failing = CompletableFuture.supplyAsync(() -> run(slow));
        assertThatThrownBy(() -> failing.get(300, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        slow.goesOn.countDown();
        assertThatThrownBy(failing::join)
                .hasCauseInstanceOf(JobFailedException.class)
                .hasMessageContaining("refused");

        run(Ordinals::new);
        long vertices = session.info("g").vertices();
        assertThat(sum()).isEqualTo(vertices * (vertices - 1) / 2);
    }

    @Test
    void refusesWhatComesForItBehindIt() {
        Network network = group.node(-1).network();
        int slave = group.nodeId(0);
        long run = Attempt.of(TERM, 99);

        network.request(slave, new EndRun(run, false)).join();

        for (Request<?> late :
                List.of(
                        new PrepareRun(
                                run,
                                "g",
                                LeastId.NAME,
                                "{}",
                                "{}",
                                group.members().get(),
                                0,
                                List.of()),
                        new FindValues(run, "g", "s", new long[0]))) {
            assertThatThrownBy(() -> network.request(slave, late).join())
                    .hasCauseInstanceOf(RemoteException.class)
                    .hasMessageContaining("the run has ended");
        }
    }

    private Object run(Supplier<Program> program) {
        return session.run("g", TestPrograms.NAME, TestPrograms.named(program));
    }

    private long sum() {
        long sum = 0;
        try (StateCursor cursor = session.read("g", "s")) {
            while (cursor.next()) {
                sum += cursor.asLong();
            }
        }
        return sum;
    }

    private static final class Ordinals implements VertexProgram {
        private LongState s;

        @Override
        public void declare(Declaration graph) {
            s = graph.longState("s", 0);
        }

        @Override
        public void start(Vertex v) {
            s.set(v, v.ordinal());
        }

        @Override
        public void compute(Vertex v) {}
    }

    /**
     * Fails on all slaves but one when that has declared its states for its first worker, and has
     * begun to make the program for its second one, which takes long.
     */
    private static final class Slow implements Supplier<Program> {
        private final CountDownLatch standsStill = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private int calls;
        private long slow;
        private int callsOfSlow;

        @Override
        public Program get() {
            return switch (role()) {
                case 0 -> {
                    await(standsStill);
                    throw new JobFailedException("refused");
                }
                case 2 -> {
                    standsStill.countDown();
                    await(goesOn);
                    yield new Ordinals();
                }
                default -> new Ordinals();
            };
        }

        /** Of the slave that comes first, which call it is; 0 for others. */
        private synchronized int role() {
            if (calls++ == 0) {
                return -1; // the master's
            }
            long caller = Thread.currentThread().threadId();
            slow = slow == 0 ? caller : slow;
            return slow == caller ? ++callsOfSlow : 0;
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
