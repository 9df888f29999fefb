package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.SumOfProperties;
import org.starling.compute.TestPrograms;
import org.starling.compute.ValuedEdges;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.graph.StateCursor;

/** Properties and projections where peers or the master are lost, and what is left behind. */
@Tag("thorough")
@Timeout(60)
final class PropertyLossTest {
    /** The catalogue itself. */
    private static final int CATALOGUE = 1;

    private static final long JOB = 1_000;
    private static final ValuedEdges EDGES = ValuedEdges.random(31, 500, 3_000);

    private static final Undisturbed<List<Long>> UNDISTURBED = new Undisturbed<>();

    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(4);
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void stayTheSameWhenASlaveIsLostInARun() {
        List<Long> expected = expected();
        MasterSession session = begin(2, at(1, 0, () -> group.kill(1)));

        assertThat(task(session)).isEqualTo(expected);
        session.endJob();
        assertThat(session.recoveryEvents()).hasSize(1);
    }

    @Test
    void stayTheSameWithOtherPeers() {
        List<Long> expected = expected();
        JobListener change =
                at(
                        1,
                        0,
                        () -> {
                            group.join();
                            group.letLeave(0);
                        });
        MasterSession session = begin(2, change);

        assertThat(task(session)).isEqualTo(expected);
        assertThat(session.moves()).isEqualTo(1);
        session.endJob();
        assertThat(group.chunks()).isZero();
    }

    @Test
    void stayTheSameWhenASlaveIsLostWhileRowsAreBuilt() {
        List<Long> expected = expected();
        for (int build = 1; build <= 2; build++) {
            group.close();
            group = TestGroup.durable(4);
            MasterSession session = begin(2, whileRowsAreBuilt(build, () -> group.kill(2)));

            assertThat(task(session)).isEqualTo(expected);
            session.endJob();
            assertThat(group.chunksOfLiving()).isZero();
        }
    }

    @Test
    void leaveNothingBehindTheirJob() {
        undisturbed();

        assertThat(group.chunks()).isZero();
    }

    @Test
    void goOnUnderANewMaster() {
        List<Long> expected = expected();
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(JOB << 7 | 1, ALWAYS);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        build(old);
        old.endTask();
        old.beginTask(1);
        project(old);

        MasterSession young = group.master(JOB << 7 | 2, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(1);
        project(young);
        assertThat(values(young)).isEqualTo(expected);
        young.endTask();
        young.endJob();
        assertThat(group.chunks()).isZero();
    }

    @Test
    void areKeptCopiedAndDroppedWithTheirGraph() {
        List<Long> expected = expected();
        MasterSession first = begin(2, JobListener.SILENT);
        first.beginTask(0);
        build(first);
        project(first);
        first.keep("part");
        first.endTask();
        assertThatThrownBy(() -> first.publish("part", "age", "age", true))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("was made with a column \"age\", which stays");
        assertThatThrownBy(() -> first.publish("part", "name", "called", true))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "\"name\" of graph \"part\" is a property of strings: it stays with the"
                                + " graph");
        first.endJob();
        long kept = group.chunks();
        assertThat(service().graph("part").orElseThrow().properties())
                .extracting(StoredProperty::name)
                .containsExactly(
                        "age", "alive", "worth", "place", "score", "name", "kind", "since", "close",
                        "trust");

        service().copy("part", "other");
        service().drop("part");
        assertThat(group.chunks()).as("as many in the copy").isEqualTo(kept);
        service().rename("other", "part");
        MasterSession second = begin(3, at(1, 0, () -> group.kill(0)));
        second.beginTask(0);
        assertThat(values(second)).isEqualTo(expected);
        second.endTask();
        second.endJob();
        service().drop("part");

        assertThat(group.chunksOfLiving()).isEqualTo(CATALOGUE);
    }

    private List<Long> expected() {
        return UNDISTURBED.orFrom(this::undisturbed);
    }

    private List<Long> undisturbed() {
        MasterSession session = begin(1, JobListener.SILENT);
        List<Long> values = task(session);
        session.endJob();
        assertThat(values).hasSizeGreaterThan(100);
        return values;
    }

    private static List<Long> task(MasterSession session) {
        session.beginTask(0);
        build(session);
        project(session);
        List<Long> values = values(session);
        session.endTask();
        return values;
    }

    private static void build(MasterSession session) {
        session.build("all", ValuedEdges.NAME, EDGES.named(), BuildOptions.DIRECTED);
    }

    private static void project(MasterSession session) {
        session.project("all", "age >= 20 and alive", "close or weight > 1", "part");
    }

    private static List<Long> values(MasterSession session) {
        session.run("part", TestPrograms.NAME, TestPrograms.named(SumOfProperties::new));
        List<Long> values = new ArrayList<>();
        for (String state : List.of(SumOfProperties.SUM, SumOfProperties.HEARD, "age")) {
            try (StateCursor cursor = session.read("part", state)) {
                while (cursor.next()) {
                    values.add(cursor.asLong());
                }
            }
        }
        return values;
    }

    private CatalogueService service() {
        return new CatalogueService(group.node(-1), InstantSource.system());
    }

    private MasterSession begin(long term, JobListener listener) {
        return group.begin(term, CheckpointOptions.NONE, listener);
    }

    /** Acts when the rows of the build of that number are about to be made. */
    private static JobListener whileRowsAreBuilt(int number, Runnable act) {
        return new JobListener() {
            private int builds;

            @Override
            public void progress(String what, long done, long total) {
                builds += what.equals("building rows") ? 1 : 0;
                if (what.equals("building rows") && builds == number) {
                    act.run();
                }
            }

            @Override
            public void superstep(int now, long active, long messages) {}
        };
    }
}
