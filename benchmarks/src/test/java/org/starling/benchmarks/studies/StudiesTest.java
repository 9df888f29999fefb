package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Scale;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.net.NativeMemory;

/** Every study, with tiny sizes. */
@Timeout(value = 50, unit = TimeUnit.SECONDS)
final class StudiesTest {
    private static final Scale TINY = new Scale(Duration.ofMillis(1), 2, 2, 8);

    /** One that is quick. */
    static Stream<Expected> quickStudies() {
        return Stream.of(new Expected(study("conversion"), 2 * (4 + 3), "order"));
    }

    static Stream<Expected> slowStudies() {
        return Stream.of(
                new Expected(study("waiting"), 3 * 2, "waiting"),
                new Expected(study("adjacency"), 3 * 2, "pass"),
                new Expected(study("search"), 2, "program"),
                new Expected(study("senders"), 2 * 3, "threads"),
                new Expected(study("payload"), 2 + 2, "bytes"),
                new Expected(study("all-to-all"), 2 * 2 * 3, "nodes"),
                new Expected(study("patterns"), 2 * 3, "vectorSize"),
                new Expected(study("master-worker"), 2 * 3, "workers"),
                new Expected(study("netty"), 2 * 2 * 2, "bytes"));
    }

    /** A study, how many rows it has at the ends of all ranges, and its first column. */
    record Expected(Study study, int rows, String firstColumn) {
        @Override
        public String toString() {
            return study.name();
        }
    }

    private static Study study(String name) {
        return StudyBench.ALL_STUDIES.stream()
                .filter(study -> study.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("quickStudies")
    void givesAFullTableAndLeavesNoMemory(Expected expected) throws Exception {
        long reservedBytes = NativeMemory.reservedBytes();
        List<String> cells = new ArrayList<>();

        Table table = expected.study().run(new Contest(TINY, cells::add));

        List<String> columns =
                List.of(table.csv().lines().findFirst().orElseThrow().split(",", -1));
        assertThat(table.tree()).hasSize(expected.rows());
        assertThat(columns.getFirst()).isEqualTo(expected.firstColumn());
        assertThat(columns).doesNotHaveDuplicates();
        assertThat(cells).doesNotHaveDuplicates().isNotEmpty();
        assertThat(table.csv().lines()).hasSize(expected.rows() + 1);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBytes);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("slowStudies")
    void givesAFullTableOfTheOthers(Expected expected) throws Exception {
        givesAFullTableAndLeavesNoMemory(expected);
    }

    @Test
    void testsEveryStudy() {
        Set<String> tested = new HashSet<>();
        Stream.concat(quickStudies(), slowStudies())
                .forEach(expected -> tested.add(expected.study().name()));

        assertThat(StudyBench.ALL_STUDIES)
                .extracting(Study::name)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(tested);
    }
}
