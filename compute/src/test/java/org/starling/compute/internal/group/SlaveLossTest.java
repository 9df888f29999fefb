package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;
import static org.starling.compute.internal.group.MedleyJob.edges;
import static org.starling.compute.internal.group.MedleyJob.task;
import static org.starling.compute.internal.group.MedleyJob.tasksFrom;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.TestEdges;
import org.starling.compute.internal.group.MedleyJob.Left;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.StateCursor;

/** Slaves that vanish in the middle of a job: the result is that of an undisturbed one. */
@Timeout(60)
final class SlaveLossTest {
    private TestGroup group;
    private Left expected;

    @BeforeEach
    void open() {
        group = new TestGroup(4);
        expected = MedleyJob.expected(group);
    }

    @AfterEach
    void close() {
        group.close();
    }

    private MasterSession master(CheckpointOptions options, JobListener listener) {
        return master(2, options, listener);
    }

    private MasterSession master(long term, CheckpointOptions options, JobListener listener) {
        MasterSession master = group.master(term, options);
        master.begin(listener, _ -> true);
        master.resume(new byte[0], -1, 0);
        return master;
    }

    private void survived(MasterSession master, int victim, int superstep, int resumedAt) {
        assertThat(master.recoveryEvents())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.node()).isEqualTo(group.nodeId(victim));
                    assertThat(event.role()).isEqualTo(RecoveryEvent.SLAVE);
                    assertThat(event.superstep()).isEqualTo(superstep);
                    assertThat(event.resumedAt()).isEqualTo(resumedAt);
                    assertThat(event.seconds()).isBetween(0.001, 50.0);
                });
    }

    @ParameterizedTest
    @CsvSource("2, 4, 3")
    void goesOnFromTheLastCheckpoint(int run, int superstep, int victim) {
        MasterSession master = master(ALWAYS, at(run, superstep, () -> group.kill(victim)));

        Left left = tasksFrom(master, 0, true);

        assertThat(left).isEqualTo(expected);
        survived(master, victim, superstep + 1, superstep == 0 ? 0 : superstep);
        master.endJob();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 0, 0", "1, 5, 1", "2, 0, 2", "2, 8, 0"})
    void goesOnFromTheLastCheckpointInMoreCases(int run, int superstep, int victim) {
        goesOnFromTheLastCheckpoint(run, superstep, victim);
    }

    @ParameterizedTest
    @CsvSource("2, 0, 1")
    void startsTheRunAnewWithoutACheckpoint(int run, int superstep, int victim) {
        MasterSession master =
                master(CheckpointOptions.NONE, at(run, superstep, () -> group.kill(victim)));

        Left left = tasksFrom(master, 0, true);

        assertThat(left).isEqualTo(expected);
        survived(master, victim, superstep + 1, 0);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 3, 2", "2, 6, 0"})
    void startsTheRunAnewWithoutACheckpointInMoreCases(int run, int superstep, int victim) {
        startsTheRunAnewWithoutACheckpoint(run, superstep, victim);
    }

    /** Graphs whose rows are kept in other ways than those of the tests above. */
    static Stream<BuildOptions> otherRows() {
        return Stream.of(BuildOptions.DIRECTED.withoutIncoming().withWideNeighbours());
    }

    static Stream<BuildOptions> moreRows() {
        return Stream.of(
                BuildOptions.UNDIRECTED.withWideNeighbours(),
                BuildOptions.DIRECTED.withWideNeighbours(),
                BuildOptions.DIRECTED.withoutIncoming());
    }

    @ParameterizedTest
    @MethodSource("otherRows")
    void goesOnWithRowsThatAreWideOrLeadOutOnly(BuildOptions options) {
        Left narrow = MedleyJob.expected(group, new BuildOptions(options.directed(), false));
        MasterSession master = master(3, ALWAYS, at(1, 4, () -> group.kill(1)));

        Left left = tasksFrom(master, 0, true, options);

        assertThat(left).isEqualTo(narrow);
        survived(master, 1, 5, 4);
        assertThat(master.info("g").incoming()).isEqualTo(options.incoming());
        assertThat(master.info("g").neighbourBytes())
                .isEqualTo(options.wideNeighbours() ? Long.BYTES : Integer.BYTES);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("moreRows")
    void goesOnWithOtherRows(BuildOptions options) {
        goesOnWithRowsThatAreWideOrLeadOutOnly(options);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("moreRows")
    void makesOtherRowsAnew(BuildOptions options) {
        makesRowsAnewThatAreWideOrLeadOutOnly(options);
    }

    @ParameterizedTest
    @MethodSource("otherRows")
    void makesRowsAnewThatAreWideOrLeadOutOnly(BuildOptions options) {
        Left narrow = MedleyJob.expected(group, new BuildOptions(options.directed(), false));
        MasterSession master = master(3, ALWAYS, JobListener.SILENT);
        master.beginTask(0);

        task(master, 0, true, edgesThatLose(2), options);
        master.endTask();

        assertThat(tasksFrom(master, 1, true, options)).isEqualTo(narrow);
        survived(master, 2, -1, -1);
    }

    /** Edges that a slave is lost among, once. */
    private TestEdges edgesThatLose(int victim) {
        AtomicBoolean killed = new AtomicBoolean();
        return edges().beforeEnd(() -> {
            if (killed.compareAndSet(false, true)) {
                group.kill(victim);
            }
        });
    }

    @Test
    void startsARunAnewThatKeepsThingsInFields() {
        MasterSession master = master(ALWAYS, at(2, 5, () -> group.kill(1)));

        Left left = tasksFrom(master, 0, false);

        assertThat(left).isEqualTo(expected);
        survived(master, 1, 6, 0);
    }

    @Test
    void ignoresBlocksOfOlderAttempts() {
        long older = Attempt.of(1, 1);
        MasterSession master = master(ALWAYS, at(1, 4, () -> group.sendMessage(older, 5)));

        assertThat(tasksFrom(master, 0, true)).isEqualTo(expected);
        assertThat(master.recoveryEvents()).isEmpty();
    }

    @Test
    void makesAGraphAnewWhenASlaveIsLostMeanwhile() {
        MasterSession master = master(ALWAYS, JobListener.SILENT);
        master.beginTask(0);

        task(master, 0, true, edgesThatLose(3));
        master.endTask();

        assertThat(tasksFrom(master, 1, true)).isEqualTo(expected);
        survived(master, 3, -1, -1);
    }

    @Test
    void readsOnWhenTheOwnerOfTheNextShardIsLost() {
        MasterSession master = master(ALWAYS, JobListener.SILENT);
        for (int task = 0; task < MedleyJob.TASKS; task++) {
            task(master, task, true, edges());
        }

        try (StateCursor cursor = master.read("g", "total2")) {
            for (int v = 0; v < MedleyJob.VERTICES; v++) {
                if (v == 100) {
                    group.kill(2);
                }
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.asLong()).isEqualTo(expected.totals().get(v));
            }
        }
        survived(master, 2, -1, -1);
    }

    @Test
    void survivesALossBetweenTasksAndUsesAPeerThatJoined() {
        MasterSession master = master(CheckpointOptions.NONE, JobListener.SILENT);
        master.beginTask(0);
        task(master, 0, true, edges());
        master.endTask();
        master.beginTask(1);
        task(master, 1, true, edges());
        master.endTask();

        group.kill(0);
        int joined = group.join().nodeId();
        Left left = tasksFrom(master, 2, true);

        assertThat(left).isEqualTo(expected);
        assertThat(master.slaves()).contains(joined).doesNotContain(group.nodeId(0));
        survived(master, 0, -1, -1);
    }

    @Test
    void keepsInputDegreesThatTheBuildCounted() {
        MasterSession master = master(CheckpointOptions.NONE, JobListener.SILENT);
        master.build("d", TestEdges.NAME, edges().named(), new BuildOptions(true, true));
        long[] before = degrees(master);

        group.kill(1);

        assertThat(degrees(master)).isEqualTo(before);
        master.drop("d");
    }

    private static long[] degrees(MasterSession master) {
        long[] degrees = new long[MedleyJob.VERTICES];
        try (StateCursor cursor = master.read("d", BuildOptions.INPUT_DEGREE)) {
            while (cursor.next()) {
                degrees[(int) cursor.ordinal()] = cursor.asLong();
            }
        }
        return degrees;
    }
}
