package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.ValuedEdges;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.IntState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Columns of a kept graph that another job's program reads, when slaves and masters are lost. */
@Tag("thorough")
@Timeout(60)
final class JoinLossTest {
    private static final long JOB = 1_000;

    /** The catalogue itself. */
    private static final int CATALOGUE = 1;

    private static final ValuedEdges PEOPLE = ValuedEdges.random(51, 500, 2_000);
    private static final TestEdges RING = ring();

    private static final Undisturbed<List<Long>> UNDISTURBED = new Undisturbed<>();

    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(4);
        keepPeople();
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void staysTheSameWhenASlaveIsLostInARun() {
        List<Long> expected = expected();
        for (int superstep : new int[] {0, 2}) {
            close();
            open();
            MasterSession session =
                    group.begin(7, CheckpointOptions.NONE, at(1, superstep, () -> group.kill(1)));

            assertThat(task(session)).isEqualTo(expected);
            session.endJob();
            assertThat(session.recoveryEvents()).hasSize(1);
        }
    }

    @Test
    void goesOnFromACheckpointInTheMiddle() {
        List<Long> expected = expected();
        MasterSession session = group.begin(8, ALWAYS, at(1, 3, () -> group.kill(2)));

        assertThat(task(session)).isEqualTo(expected);
        session.endJob();
    }

    @Test
    void findsThatASlaveIsLostBeforeItBegins() {
        List<Long> expected = expected();
        MasterSession session = group.begin(9, CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        build(session);
        group.kill(3);

        run(session);

        assertThat(values(session)).isEqualTo(expected);
        session.endTask();
        session.endJob();
    }

    @Test
    void outlivesTheGraphThatItCameFrom() {
        List<Long> expected = expected();
        MasterSession session = group.begin(10, CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        build(session);
        run(session);
        session.drop("people");
        group.kill(1);

        assertThat(values(session)).isEqualTo(expected);
        session.endTask();
        session.endJob();
        assertThat(group.chunksOfLiving()).isEqualTo(CATALOGUE);
    }

    @Test
    void goesOnUnderANewMaster() {
        List<Long> expected = expected();
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(JOB << 7 | 1, ALWAYS);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        build(old);
        old.endTask();
        old.beginTask(1);
        run(old);

        MasterSession young = group.master(JOB << 7 | 2, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(1);
        run(young);
        assertThat(values(young)).isEqualTo(expected);
        young.endTask();
        young.endJob();
    }

    @Test
    void holdsTheGraphThatItReads() {
        MasterSession session =
                group.begin(11 << 7 | 1, CheckpointOptions.NONE, JobListener.SILENT);
        session.beginTask(0);
        build(session);
        run(session);

        CatalogueChunk catalogue = new CatalogueChunk(group.node(-1));
        assertThat(catalogue.read().require("people").users()).containsExactly(11L);
        session.endTask();
        session.endJob();
        assertThat(catalogue.read().require("people").users()).isEmpty();
    }

    private List<Long> expected() {
        return UNDISTURBED.orFrom(this::undisturbed);
    }

    private List<Long> undisturbed() {
        MasterSession session = group.begin(6, CheckpointOptions.NONE, JobListener.SILENT);
        List<Long> values = task(session);
        session.endJob();
        assertThat(values).hasSize(2 * 700).doesNotHaveDuplicates();
        return values;
    }

    private static List<Long> task(MasterSession session) {
        session.beginTask(0);
        build(session);
        run(session);
        List<Long> values = values(session);
        session.endTask();
        return values;
    }

    private static void build(MasterSession session) {
        session.build("ring", TestEdges.NAME, RING.named(), BuildOptions.DIRECTED);
    }

    private static void run(MasterSession session) {
        session.run("ring", TestPrograms.NAME, TestPrograms.named(Rounds::new));
    }

    private static List<Long> values(MasterSession session) {
        List<Long> values = new ArrayList<>();
        for (String state : List.of(Rounds.SUM, "age there")) {
            try (StateCursor cursor = session.read("ring", state)) {
                while (cursor.next()) {
                    values.add(
                            cursor.asLong() * 1_000_000 + cursor.id() * 10 + values.size() / 700);
                }
            }
        }
        return values;
    }

    private void keepPeople() {
        MasterSession first = group.begin(5, CheckpointOptions.NONE, JobListener.SILENT);
        first.beginTask(0);
        first.build("people", ValuedEdges.NAME, PEOPLE.named(), BuildOptions.DIRECTED);
        first.keep("people");
        first.endTask();
        first.endJob();
    }

    private static TestEdges ring() {
        TestEdges ring = TestEdges.dense(0, 700);
        for (int i = 0; i < 700; i++) {
            ring.edge(i, (i + 1) % 700);
        }
        return ring;
    }

    /** Passes what was joined along a ring, round after round. */
    private static final class Rounds implements VertexProgram {
        private static final String SUM = "sum of ages";
        private static final int ROUNDS = 5;
        private IntState age;
        private LongState sum;
        private LongChannel told;

        @Override
        public void declare(Declaration graph) {
            graph.join("age there", "people", "age", -1);
            age = graph.existingIntState("age there");
            sum = graph.longState(SUM, 0);
            told = graph.longChannel("told", LongCombiner.SUM);
        }

        @Override
        public void start(Vertex v) {
            send(v, age.get(v) * 10L);
        }

        @Override
        public void compute(Vertex v) {
            long received = told.received(v);
            sum.set(v, sum.get(v) * 3 + received / 10 + age.get(v));
            if (received % 10 < ROUNDS) {
                send(v, received + 1);
            }
        }

        private void send(Vertex v, long value) {
            for (EdgeCursor edge = v.edges(); edge.next(); ) {
                told.send(edge.target(), value);
            }
        }
    }
}
