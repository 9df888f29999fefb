package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.Averages;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.Endless;
import org.starling.compute.JobListener;
import org.starling.compute.Letters;
import org.starling.compute.Norms;
import org.starling.compute.PhasedFlood;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** What programs can say survives a slave that vanishes: they go on in the middle. */
@Tag("thorough")
@Timeout(60)
final class ProgramLossTest {
    private static final TestEdges EDGES = TestEdges.random(5, 3_000, 3_600);

    private static final List<String> VECTORS =
            List.of(Averages.PLACE, Averages.NUMBERS, Averages.STEPS, Averages.HALVES);

    @TempDir private Path folder;

    private static final List<String> FLOOD = List.of(PhasedFlood.GREATEST, PhasedFlood.COUNTED);

    static Stream<Arguments> programsAndSupersteps() {
        return Stream.of(
                lost(PhasedFlood::new, FLOOD, 9), lost(Letters::new, List.of(Letters.HASH), 5));
    }

    static Stream<Arguments> moreProgramsAndSupersteps() {
        return Stream.of(
                lost(PhasedFlood::new, FLOOD, 3),
                lost(Letters::new, List.of(Letters.HASH), 1),
                lost(Averages::new, VECTORS, 2),
                Arguments.of(
                        List.<Supplier<Program>>of(Averages::new, Norms::new),
                        List.of(Averages.PLACE, Norms.NORM),
                        1));
    }

    private static Arguments lost(Supplier<Program> program, List<String> states, int superstep) {
        return Arguments.of(List.of(program), states, superstep);
    }

    @ParameterizedTest
    @MethodSource("programsAndSupersteps")
    void goesOnInTheMiddle(List<Supplier<Program>> programs, List<String> states, int superstep)
            throws IOException {
        try (TestGroup group = new TestGroup(4)) {
            String expected = left(group, 1, CheckpointOptions.NONE, null, programs, states);
            JobListener killer = at(programs.size(), superstep, () -> group.kill(2));

            String left = left(group, 2, ALWAYS, killer, programs, states);

            assertThat(left).isEqualTo(expected);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("moreProgramsAndSupersteps")
    void goesOnInTheMiddleOfMorePrograms(
            List<Supplier<Program>> programs, List<String> states, int superstep)
            throws IOException {
        goesOnInTheMiddle(programs, states, superstep);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("moreProgramsAndSupersteps")
    void goesOnWithOtherPeersInMorePrograms(
            List<Supplier<Program>> programs, List<String> states, int superstep)
            throws IOException {
        goesOnWithOtherPeers(programs, states, superstep);
    }

    @ParameterizedTest
    @MethodSource("programsAndSupersteps")
    void goesOnWithOtherPeers(List<Supplier<Program>> programs, List<String> states, int superstep)
            throws IOException {
        try (TestGroup group = new TestGroup(4)) {
            String expected = left(group, 1, CheckpointOptions.NONE, null, programs, states);
            JobListener change =
                    at(
                            programs.size(),
                            superstep,
                            () -> {
                                group.join();
                                group.letLeave(2);
                            });
            MasterSession session = group.master(2, CheckpointOptions.NONE);

            String left = left(session, 2, change, programs, states);

            assertThat(left).isEqualTo(expected);
            assertThat(session.moves()).isEqualTo(1);
            assertThat(session.recoveryEvents()).isEmpty();
        }
    }

    /** With a checkpoint after each run, and with none. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesAwayWhatARunThatFailedHasTakenAlong(boolean saved) {
        try (TestGroup group = new TestGroup(4)) {
            MasterSession session = group.master(1, saved ? ALWAYS : CheckpointOptions.NONE);
            session.begin(JobListener.SILENT, _ -> true);
            session.resume(new byte[0], -1, 0);
            session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
            session.run("g", TestPrograms.NAME, TestPrograms.named(Averages::new));
            Parameters failing = TestPrograms.named(FailingAverages::new);
            assertThatThrownBy(() -> session.run("g", TestPrograms.NAME, failing))
                    .hasMessageContaining("not today");

            group.kill(2);
            session.run("g", TestPrograms.NAME, TestPrograms.named(PhasedFlood::new));

            assertThat(session.recoveryEvents()).hasSize(1);
            assertThatThrownBy(() -> session.read("g", Averages.STEPS).next())
                    .hasMessageContaining("no state \"" + Averages.STEPS);
            try (StateCursor numbers = session.read("g", Averages.HALVES)) {
                assertThat(numbers.next()).isTrue();
            }
            session.endJob();
        }
    }

    /** With a checkpoint after each run, and with none: when the run ends nobody may save. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesAwayWhatARunThatWasStoppedHasTakenAlong(boolean saved) {
        try (TestGroup group = new TestGroup(4)) {
            MasterSession session = group.master(1, saved ? ALWAYS : CheckpointOptions.NONE);
            session.begin(at(2, 3, () -> session.stopTask(true)), _ -> true);
            session.resume(new byte[0], -1, 0);
            session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
            session.run("g", TestPrograms.NAME, TestPrograms.named(Averages::new));
            Parameters endless = TestPrograms.named(EndlessAverages::new);
            assertThatThrownBy(() -> session.run("g", TestPrograms.NAME, endless))
                    .hasMessageContaining("time is over");
            session.stopTask(false);

            group.kill(2);
            try (StateCursor halves = session.read("g", Averages.HALVES)) {
                assertThat(halves.next()).isTrue();
            }

            assertThatThrownBy(() -> session.read("g", Averages.STEPS).next())
                    .hasMessageContaining("no state \"" + Averages.STEPS);
            session.run("g", TestPrograms.NAME, TestPrograms.named(Averages::new));
            group.kill(1);
            session.run("g", TestPrograms.NAME, TestPrograms.named(PhasedFlood::new));
            assertThat(session.recoveryEvents()).hasSize(2);
            assertThat(session.read("g", Averages.STEPS).next()).isTrue();
            session.endJob();
        }
    }

    /** Takes the place of a state, and goes on until it is stopped. */
    private static final class EndlessAverages implements VertexProgram {
        private final Endless endless = new Endless();

        @Override
        public void declare(Declaration graph) {
            graph.longState(Averages.STEPS, 0);
            endless.declare(graph);
        }

        @Override
        public void start(Vertex v) {
            endless.start(v);
        }

        @Override
        public void compute(Vertex v) {
            endless.compute(v);
        }
    }

    /** Takes the place of a state, and fails. */
    private static final class FailingAverages implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.longState(Averages.STEPS, 0);
        }

        @Override
        public void start(Vertex v) {
            throw new IllegalStateException("not today");
        }

        @Override
        public void compute(Vertex v) {}
    }

    private String left(
            TestGroup group,
            long term,
            CheckpointOptions options,
            @Nullable JobListener listener,
            List<Supplier<Program>> programs,
            List<String> states)
            throws IOException {
        MasterSession session = group.master(term, options);
        JobListener heard = listener == null ? JobListener.SILENT : listener;
        String left = left(session, term, heard, programs, states);
        if (listener != null) {
            assertThat(session.recoveryEvents())
                    .singleElement()
                    .satisfies(event -> assertThat(event.resumedAt()).isPositive());
        }
        return left;
    }

    private String left(
            MasterSession session,
            long term,
            JobListener listener,
            List<Supplier<Program>> programs,
            List<String> states)
            throws IOException {
        session.begin(listener, _ -> true);
        session.resume(new byte[0], -1, 0);
        session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
        StringBuilder text = new StringBuilder();
        for (Supplier<Program> program : programs) {
            RunResult run = session.run("g", TestPrograms.NAME, TestPrograms.named(program));
            text.append(run.supersteps()).append(" supersteps\n");
        }
        for (String state : states) {
            Path file = folder.resolve(term + state);
            session.write("g", state, file);
            text.append(Files.readString(file));
        }
        session.endJob();
        return text.toString();
    }
}
