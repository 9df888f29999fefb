package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;
import static org.starling.compute.internal.group.MedleyJob.edges;
import static org.starling.compute.internal.group.MedleyJob.task;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.Averages;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.Medley;
import org.starling.compute.Norms;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.catalogue.KeptColumn;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.catalogue.Leaving;
import org.starling.compute.internal.catalogue.LeavingChunks;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.group.MedleyJob.Left;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.StateCursor;
import org.starling.net.LoopbackHub;
import org.starling.store.Durability;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** Graphs that outlive the jobs that made them, with and without losses in the middle. */
@Timeout(60)
final class KeptGraphsTest {
    /** The catalogue itself. */
    private static final int CATALOGUE = 1;

    /** Of a job that is not in the directory, which has none. */
    private static final long JOB = 1_000;

    @TempDir Path folder;
    private TestGroup group;

    @BeforeEach
    void open() {
        group = new TestGroup(3);
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void keepsAGraphAndItsColumnsForLaterJobs() {
        MasterSession first = begin(1, JobListener.SILENT);
        Left expected = makeKept(first);
        first.beginTask(3);
        first.publish("g", "total", "sums", false);
        first.endTask();
        first.endJob();
        long kept = group.chunks();

        MasterSession second = begin(2, JobListener.SILENT);
        second.beginTask(0);

        assertThat(values(second, "sums")).isEqualTo(expected.totals());
        assertThat(run(second).totals()).isEqualTo(expected.totals());
        assertThat(second.info("g").vertices()).isEqualTo(MedleyJob.VERTICES);
        second.endTask();
        second.endJob();
        assertThat(group.chunks()).as("what a job leaves unpublished goes").isEqualTo(kept);
        assertThat(group.checkpointChunks()).isZero();

        MasterSession third = begin(3, JobListener.SILENT);
        third.beginTask(0);
        third.drop("g");
        third.endTask();
        third.endJob();
        assertThat(group.chunks()).isEqualTo(CATALOGUE);
    }

    @Test
    void publishesVectorsThatLaterJobsReadWhenASlaveIsLost() {
        MasterSession first = begin(1, JobListener.SILENT);
        first.beginTask(0);
        build(first);
        first.keep("g");
        first.run("g", TestPrograms.NAME, TestPrograms.named(Averages::new));
        first.run("g", TestPrograms.NAME, TestPrograms.named(Norms::new));
        List<Double> norms = doubles(first, Norms.NORM);
        first.publish("g", Averages.PLACE, Averages.PLACE, false);
        first.endTask();
        first.endJob();
        assertThat(service().graph("g").orElseThrow().columns())
                .extracting(KeptColumn::type)
                .containsExactly(new StateType(ColumnType.DOUBLE, Averages.LENGTH));

        MasterSession second = begin(2, at(1, 1, () -> group.kill(1)));
        second.beginTask(0);
        second.run("g", TestPrograms.NAME, TestPrograms.named(Norms::new));
        assertThat(doubles(second, Norms.NORM)).isEqualTo(norms);
        second.endTask();
        second.endJob();
        assertThat(second.recoveryEvents()).hasSize(1);
    }

    @Test
    void leavesNothingOfAGraphThatIsNotKept() {
        MasterSession session = begin(1, JobListener.SILENT);
        session.beginTask(0);
        task(session, 0, true, edges());
        session.endJob();

        assertThat(group.chunks()).isZero();
        assertThat(session.keptGraphs()).isEmpty();
    }

    @Test
    void goesOnWhenASlaveIsLostInAJobOverAKeptGraph() {
        MasterSession first = begin(1, JobListener.SILENT);
        Left expected = makeKept(first);
        first.beginTask(3);
        first.publish("g", "total", "sums", false);
        first.endTask();
        first.endJob();

        MasterSession second = begin(2, at(1, 3, () -> group.kill(1)));
        second.beginTask(0);
        assertThat(run(second)).isEqualTo(expected);
        assertThat(values(second, "sums"))
                .as("a column that is on other peers now")
                .isEqualTo(expected.totals());
        second.endTask();
        second.endJob();
        assertThat(second.recoveryEvents()).hasSize(1);
        assertThat(service().graphs()).extracting(KeptGraph::name).containsExactly("g");
    }

    @Test
    void saysThatATaskCannotPublishTwoColumnsUnderOneName() {
        MasterSession session = begin(JOB << 7 | 1, JobListener.SILENT);
        session.beginTask(0);
        build(session);
        session.keep("g");
        session.run("g", TestPrograms.NAME, TestPrograms.named(Averages::new));
        session.publish("g", Averages.PLACE, "column", false);

        assertThatThrownBy(() -> session.publish("g", Averages.NUMBERS, "column", true))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"column\"")
                .hasMessageContaining("by this task already");

        session.endTask();
        session.beginTask(1);
        session.publish("g", Averages.NUMBERS, "column", true);
        session.endTask();
        session.endJob();
        assertThat(service().graph("g").orElseThrow().columns())
                .extracting(KeptColumn::type)
                .containsExactly(new StateType(ColumnType.LONG, 2));
    }

    @Test
    void findsWhatALostMasterHadKeptBeforeItsTaskWasCommitted() {
        MasterSession old = begin(JOB << 7 | 1, JobListener.SILENT);
        old.beginTask(0);
        BuildResult made = build(old);
        old.keep("g");
        long chunks = group.chunks();

        MasterSession young = begin(JOB << 7 | 2, JobListener.SILENT);
        young.beginTask(0);
        assertThat(build(young)).isEqualTo(made);
        young.keep("g");
        young.endTask();

        assertThat(group.chunks()).as("built once").isEqualTo(chunks);
        assertThat(group.node(-1).names().list()).containsOnlyKeys(CatalogueChunk.NAME);
        young.endJob();
        assertThat(service().graphs()).extracting(KeptGraph::name).containsExactly("g");
    }

    @Test
    void publishesOnceThoughTheMasterIsLostInBetween() {
        MasterSession old = begin(JOB << 7 | 1, JobListener.SILENT);
        List<byte[]> committed = new ArrayList<>();
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        Left expected = makeKept(old);
        old.beginTask(3);
        old.publish("g", "total", "sums", false);
        long chunks = group.chunks();

        MasterSession young = group.master(JOB << 7 | 2, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(3);
        young.publish("g", "total", "sums", false);
        assertThat(values(young, "sums")).isEqualTo(expected.totals());
        young.endTask();
        young.endJob();

        assertThat(group.chunks()).isLessThanOrEqualTo(chunks);
        assertThat(service().graph("g").orElseThrow().columns()).hasSize(1);
        service().drop("g");
        assertThat(group.chunks()).isEqualTo(CATALOGUE);
    }

    @Test
    void leavesNothingWhenTheMasterIsLostWhileAColumnChangesHands() {
        long term = JOB << 7 | 1;
        MasterSession old = group.master(term, ALWAYS);
        List<byte[]> committed = new ArrayList<>();
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        Left expected = makeKept(old);
        old.beginTask(3);
        StoreNode store = group.node(-1);
        Group slaves = new Group(store.network(), store.membership(), group.members().get());
        long checkpoint = Attempt.of(term, 999);
        OrphanedChunks orphans = group.orphans(term);
        Checkpoints checkpoints =
                new Checkpoints(
                        store, slaves, orphans, term, () -> checkpoint, new TreeMap<>(), ALWAYS);
        long manifest = checkpoints.save(checkpoint, "g", List.of("total"), true).chunk();
        new KeptGraphs(store, JOB, InstantSource.system()).intend(manifest);

        MasterSession young = group.master(term + 1, ALWAYS);
        young.begin(JobListener.SILENT, _ -> true);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(3);
        young.publish("g", "total", "sums", false);
        young.endTask();
        assertThat(values(young, "sums")).isEqualTo(expected.totals());
        young.endJob();

        assertThat(new CatalogueChunk(store).read().leaving()).isEmpty();
        service().drop("g");
        assertThat(group.chunks()).isEqualTo(CATALOGUE);
    }

    @Test
    void forgetsWhatLeavesWhenNothingTellsOfItAnyMore() {
        StoreNode store = group.node(-1);
        long manifest = store.chunks().createOn(group.nodeId(0), new int[] {16});
        new KeptGraphs(store, JOB, InstantSource.system()).intend(manifest);
        store.chunks().remove(manifest);
        CatalogueChunk catalogue = new CatalogueChunk(store);

        new LeavingChunks(store, catalogue).remove(_ -> true);

        assertThat(catalogue.read().leaving()).isEmpty();
    }

    @Test
    void keepsADroppedGraphUntilNobodyCanNeedIt() {
        makeKeptAndEnd();
        List<byte[]> committed = new ArrayList<>();
        MasterSession old = group.master(JOB << 7 | 1, ALWAYS);
        old.begin(JobListener.SILENT, committed::add);
        old.resume(new byte[0], -1, 0);
        old.beginTask(0);
        run(old);
        old.endTask();
        old.beginTask(1);
        old.drop("g");
        assertThat(old.keptGraphs()).isEmpty();

        MasterSession young = group.master(JOB << 7 | 2, ALWAYS);
        young.begin(JobListener.SILENT, committed::add);
        young.resume(committed.getLast(), 77, System.nanoTime());
        young.beginTask(1);
        assertThat(young.info("g").vertices()).isEqualTo(MedleyJob.VERTICES);
        young.drop("g");
        young.endTask();
        young.endJob();

        assertThat(group.chunks()).isEqualTo(CATALOGUE);
    }

    @Test
    void replacesAColumnOnlyWhenThatIsSaidAndReadsTheOldOneInRunsThatAreDoneAgain() {
        group.join(); // a loss leaves enough for backups
        MasterSession session = begin(1, JobListener.SILENT);
        Left expected = makeKept(session);
        session.beginTask(3);
        session.publish("g", "total", "sums", false);
        session.endTask();
        session.beginTask(4);
        session.run("g", Medley.NAME, MedleyJob.medley(true, true));
        assertThatThrownBy(() -> session.publish("g", "total2", "sums", false))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"replace\": true");
        List<Long> second = values(session, "total2");
        session.publish("g", "total2", "sums", true);
        assertThat(values(session, "sums")).isEqualTo(second).isNotEqualTo(expected.totals());
        group.kill(2);
        assertThat(values(session, "sums")).isEqualTo(second);
        session.endTask();
        session.endJob();

        assertThat(service().graph("g").orElseThrow().columns()).hasSize(1);
        service().drop("g");
        assertThat(group.chunksOfLiving()).isEqualTo(CATALOGUE);
    }

    @Test
    void keepsNoGraphThatWasMadeWhileTooFewPeersWereUp() {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(64 << 20);
        try (LocalGroup two = new LocalGroup(new LoopbackHub(), config, 2, folder)) {
            two.join();
            two.join();
            MasterSession session = two.master(JOB << 7 | 1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT, _ -> true);
            session.resume(new byte[0], -1, 0);
            session.beginTask(0);
            build(session);
            assertThatThrownBy(() -> session.keep("g"))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("promises durability MEMORY only");

            two.join();
            TestGroup.await(() -> two.superpeer().promised() == Durability.POWER);

            assertThatThrownBy(() -> session.keep("g"))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("it has no backups");
            session.drop("g");
            build(session);
            session.keep("g");
            assertThat(session.keptGraphs()).containsExactly("g");
        }
    }

    @Test
    void refusesANameThatIsKept() {
        makeKeptAndEnd();
        MasterSession session = begin(2, JobListener.SILENT);
        session.beginTask(0);

        assertThatThrownBy(() -> build(session))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("kept already");
        assertThatThrownBy(() -> session.info("h"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no graph \"h\"");
        assertThatThrownBy(() -> session.publish("h", "x", "y", false))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void writesNothingForAJobThatUsesAGraphAgainBehindALoss() {
        makeKeptAndEnd();
        StoreNode store = group.node(-1);
        Instant first = Instant.EPOCH;
        assertThat(new KeptGraphs(store, JOB, InstantSource.fixed(first)).use("g")).isPresent();
        long written = store.names().lookup(CatalogueChunk.NAME);

        Instant behind = first.plusSeconds(3);
        KeptGraphs later = new KeptGraphs(store, JOB, InstantSource.fixed(behind));
        assertThat(later.use("g")).isPresent();

        assertThat(store.names().lookup(CatalogueChunk.NAME)).isEqualTo(written);
        later.end();
        assertThat(service().graph("g").orElseThrow().users()).isEmpty();
    }

    @Test
    void refusesTheOldMastersWord() {
        MasterSession old = begin(JOB << 7 | 1, JobListener.SILENT);
        makeKept(old);
        begin(JOB << 7 | 2, JobListener.SILENT);

        assertThatThrownBy(() -> old.publish("g", "total", "sums", false))
                .isInstanceOf(JobCancelledException.class);
    }

    @Test
    void renamesAndCopiesWithColumns() {
        MasterSession first = begin(1, JobListener.SILENT);
        Left expected = makeKept(first);
        first.beginTask(3);
        first.publish("g", "total", "sums", false);
        first.endTask();
        first.endJob();
        long kept = group.chunks() - CATALOGUE;

        service().copy("g", "h");
        assertThat(group.chunks()).isEqualTo(2 * kept + CATALOGUE);
        service().rename("g", "a graph of last year");
        assertThatThrownBy(() -> service().copy("h", "a graph of last year"))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> service().rename("h", "a/b"))
                .isInstanceOf(InvalidInputException.class);
        service().drop("a graph of last year");
        service().rename("h", "g");

        MasterSession second = begin(2, JobListener.SILENT);
        second.beginTask(0);
        assertThat(values(second, "sums")).isEqualTo(expected.totals());
        assertThat(run(second)).isEqualTo(expected);
        second.endTask();
        second.endJob();
        assertThat(group.chunks()).isEqualTo(kept + CATALOGUE);
        CatalogueService.Share one = service().shares(service().graphs().getFirst()).getFirst();
        assertThat(one.bytes()).isPositive();
        assertThat(service().copies(service().graphs())).containsEntry("g", 3);
    }

    @Test
    void endsARemovalThatAnotherBeganButTakesNothingThatBearsNoMark() {
        makeKeptAndEnd();
        long before = group.chunks();
        CatalogueChunk catalogue = new CatalogueChunk(group.node(0));
        KeptGraph g = catalogue.read().require("g");
        int nobody = 60_000;
        catalogue.change(value ->
                value.drop("g", new Leaving(5, true, nobody, 1, 0, g.descriptor(), List.of())));

        new LeavingChunks(group.node(0), catalogue).remove(_ -> true);

        assertThat(catalogue.read().leaving()).isEmpty();
        assertThat(group.chunks())
                .as("its rows may be anybody's by now; the descriptor alone went")
                .isEqualTo(before - 1);
    }

    @Test
    void endsARemovalOfANodeThatDiedBeforeItHadMarkedAll() {
        group.join(); // a loss leaves enough for backups
        makeKeptAndEnd();
        CatalogueChunk catalogue = new CatalogueChunk(group.node(0));
        KeptGraph g = catalogue.read().require("g");
        int living = group.nodeId(1);
        catalogue.change(value ->
                value.drop("g", new Leaving(5, false, living, 1, 0, g.descriptor(), List.of())));
        long before = group.chunks();

        new LeavingChunks(group.node(0), catalogue).remove(_ -> true);
        assertThat(group.chunks()).as("another node does it").isEqualTo(before);
        group.kill(1);
        TestGroup.await(() -> group.node(0).membership().node(living).isEmpty());
        new LeavingChunks(group.node(0), catalogue).remove(_ -> true);

        assertThat(group.chunksOfLiving()).isEqualTo(CATALOGUE);
    }

    @Test
    void leavesNoChunkOfCopiesThatAreDropped() {
        copyAndDrop(10);
    }

    @Test
    @Tag("slow")
    @Timeout(600)
    void leavesNoChunkOfAThousandCopiesThatAreDropped() {
        copyAndDrop(1000);
    }

    private void copyAndDrop(int times) {
        makeKeptAndEnd();
        long before = group.chunks();
        for (int i = 0; i < times; i++) {
            service().copy("g", "copy" + i);
            service().drop("copy" + i);
        }

        assertThat(group.chunks()).isEqualTo(before);
    }

    private CatalogueService service() {
        return new CatalogueService(group.node(-1), InstantSource.system());
    }

    private MasterSession begin(long term, JobListener listener) {
        MasterSession session = group.master(term, CheckpointOptions.NONE);
        session.begin(listener, _ -> true);
        session.resume(new byte[0], -1, 0);
        return session;
    }

    private static BuildResult build(MasterSession session) {
        return session.build("g", TestEdges.NAME, edges().named(), BuildOptions.UNDIRECTED);
    }

    private void makeKeptAndEnd() {
        MasterSession session = begin(1, JobListener.SILENT);
        session.beginTask(0);
        build(session);
        session.keep("g");
        session.endTask();
        session.endJob();
    }

    /** Three tasks: a kept graph, nothing, and a run. */
    private static Left makeKept(MasterSession session) {
        session.beginTask(0);
        build(session);
        session.keep("g");
        session.endTask();
        session.beginTask(1);
        Left left = run(session);
        session.endTask();
        return left;
    }

    private static Left run(MasterSession session) {
        return task(session, 1, true, edges());
    }

    private static List<Double> doubles(MasterSession session, String state) {
        List<Double> values = new ArrayList<>();
        try (StateCursor cursor = session.read("g", state)) {
            while (cursor.next()) {
                values.add(cursor.asDouble());
            }
        }
        return values;
    }

    private static List<Long> values(MasterSession session, String state) {
        List<Long> values = new ArrayList<>();
        try (StateCursor cursor = session.read("g", state)) {
            while (cursor.next()) {
                values.add(cursor.asLong());
            }
        }
        return values;
    }
}
