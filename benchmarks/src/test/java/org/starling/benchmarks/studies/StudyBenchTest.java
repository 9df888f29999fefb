package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Scale;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchResult;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/** The command's end of the studies. */
final class StudyBenchTest {
    private static final Study FIRST = study("first", () -> new Table("a", "b").add("x", 1.5));
    private static final Study SECOND = study("second", () -> new Table("c").add(2));

    @TempDir Path folder;
    private final List<String> progress = new ArrayList<>();

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(Bench.class))
                .filteredOn(bench -> bench.name().equals("study"))
                .hasSize(1);
    }

    @Test
    void writesATableAndAFileForEachStudy() throws IOException {
        Path deep = folder.resolve("not/yet/there");

        BenchResult result = run(Map.of("output", deep), FIRST, SECOND);

        assertThat(Files.readString(deep.resolve("first.csv"))).isEqualTo("a,b\r\nx,1.5\r\n");
        assertThat(Files.readString(deep.resolve("second.csv"))).isEqualTo("c\r\n2\r\n");
        assertThat(result.table()).contains("first: What?", "a    b", "second: What?");
        assertThat(result.figures()).containsEntry("repetitions", Scale.FULL.repetitions());
        assertThat(result.figures().get("studies")).asInstanceOf(LIST).hasSize(2);
        assertThat(progress).containsExactly("first: cell", "second: cell");
    }

    @Test
    void runsTheOneThatIsNamed() {
        run(Map.of("output", folder, "name", "second", "quick", true), FIRST, SECOND);

        assertThat(folder.resolve("second.csv")).exists();
        assertThat(folder.resolve("first.csv")).doesNotExist();
    }

    @Test
    void measuresAsOftenAsItIsTold() {
        BenchResult usual = run(Map.of("output", folder, "quick", true), FIRST);
        BenchResult often = run(Map.of("output", folder, "quick", true, "repeat", 9L), FIRST);

        assertThat(usual.figures()).containsEntry("repetitions", Scale.QUICK.repetitions());
        assertThat(often.figures()).containsEntry("repetitions", 9);
    }

    @Test
    void keepsWhatIsDoneWhenALaterStudyFails() {
        Study wrong =
                study(
                        "wrong",
                        () -> {
                            throw new WrongResultException("5 were sent, 4 arrived");
                        });

        assertThatThrownBy(() -> run(Map.of("output", folder), FIRST, wrong))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("the study wrong failed: 5 were sent, 4 arrived");
        assertThat(folder.resolve("first.csv")).exists();
        assertThat(folder.resolve("wrong.csv")).doesNotExist();
    }

    @Test
    void endsWhenItIsInterrupted() {
        Study slow =
                study(
                        "slow",
                        () -> {
                            throw new InterruptedException();
                        });

        assertThatThrownBy(() -> run(Map.of("output", folder), slow))
                .isInstanceOf(JobCancelledException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void refusesAFolderThatIsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> run(Map.of("output", file), FIRST))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(file.toString());
    }

    private BenchResult run(Map<String, Object> given, Study... studies) {
        StudyBench bench = new StudyBench(List.of(studies));
        return bench.run(new BenchChoices(bench.options(), new HashMap<>(given)), progress::add);
    }

    /** Gives the table of a study. */
    @FunctionalInterface
    private interface Answer {
        Table table() throws Exception;
    }

    private static Study study(String name, Answer answer) {
        return new Study() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String question() {
                return "What?";
            }

            @Override
            public Table run(Contest contest) throws Exception {
                contest.run("cell", Map.of());
                return answer.table();
            }
        };
    }
}
