package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.compute.internal.group.MedleyJob.ALWAYS;
import static org.starling.compute.internal.group.MedleyJob.at;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.Letters;
import org.starling.compute.PhasedFlood;
import org.starling.compute.TestEdges;
import org.starling.compute.TestPrograms;
import org.starling.graph.BuildOptions;
import org.starling.graph.Program;

/** What programs can say survives a slave that vanishes: they go on in the middle. */
@Timeout(60)
final class ProgramLossTest {
    private static final TestEdges EDGES = TestEdges.random(5, 3_000, 3_600);

    @TempDir private Path folder;

    static Stream<Arguments> programsAndSupersteps() {
        List<String> flood = List.of(PhasedFlood.GREATEST, PhasedFlood.COUNTED);
        return Stream.of(
                lost(PhasedFlood::new, flood, 3),
                lost(PhasedFlood::new, flood, 9),
                lost(Letters::new, List.of(Letters.HASH), 1),
                lost(Letters::new, List.of(Letters.HASH), 5));
    }

    private static Arguments lost(Supplier<Program> program, List<String> states, int superstep) {
        return Arguments.of(program, states, superstep);
    }

    @ParameterizedTest
    @MethodSource("programsAndSupersteps")
    void goesOnInTheMiddle(
            Supplier<Program> program, List<String> states, int superstep)
            throws IOException {
        try (TestGroup group = new TestGroup(4)) {
            String expected = left(group, 1, CheckpointOptions.NONE, null, program, states);
            JobListener killer = at(1, superstep, () -> group.kill(2));

            String left = left(group, 2, ALWAYS, killer, program, states);

            assertThat(left).isEqualTo(expected);
        }
    }

    private String left(
            TestGroup group,
            long term,
            CheckpointOptions options,
            @Nullable JobListener listener,
            Supplier<Program> program,
            List<String> states)
            throws IOException {
        MasterSession session = group.master(term, options);
        session.begin(listener == null ? JobListener.SILENT : listener, _ -> true);
        session.resume(new byte[0], -1, 0);
        session.build("g", TestEdges.NAME, EDGES.named(), BuildOptions.UNDIRECTED);
        int supersteps =
                session.run("g", TestPrograms.NAME, TestPrograms.named(program)).supersteps();
        StringBuilder text = new StringBuilder(supersteps + " supersteps\n");
        for (String state : states) {
            Path file = folder.resolve(term + state);
            session.write("g", state, file);
            text.append(Files.readString(file));
        }
        if (listener != null) {
            assertThat(session.recoveryEvents())
                    .singleElement()
                    .satisfies(event -> assertThat(event.resumedAt()).isPositive());
        }
        session.endJob();
        return text.toString();
    }
}
