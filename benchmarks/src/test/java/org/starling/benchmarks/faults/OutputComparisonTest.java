package org.starling.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of an undisturbed and of a disturbed run. */
final class OutputComparisonTest {
    private static final String RANKS = "1 0.25\n2 0.5\n7 0.25\n";
    private static final String CLIQUES = "1 2 3\n3 4 5\n1 2 3 9\n3 4 5\n";

    @TempDir Path folder;

    private Path ranks;
    private Path cliques;

    @BeforeEach
    void nameFiles() {
        ranks = folder.resolve("ranks.txt");
        cliques = folder.resolve("cliques.txt");
    }

    @Test
    void findsNoneInEqualFilesWithCliquesInAnyOrder() throws IOException {
        assertThat(found(RANKS, "3 4 5\n1 2 3 9\n3 4 5\n1 2 3\n")).isEmpty();
        assertThat(found("1 0.25\n2 0.5\n7 0.25000000000000006\n", CLIQUES)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1 0.25\n2 0.5\n",
                "1 0.25\n2 0.5\n7 0.25\n8 0.1\n",
                "1 0.25\n2 0.5001\n7 0.25\n",
                "1 0.25\n7 0.25\n2 0.5\n",
                "1 0.25\n1 0.25\n2 0.5\n7 0.25\n",
            })
    void findsStatesThatAreLostRepeatedMovedOrChanged(String other) throws IOException {
        assertThat(found(other, CLIQUES)).isNotEmpty().allMatch(text -> text.contains("ranks.txt"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1 2 3\n3 4 5\n1 2 3 9\n",
                "1 2 3\n1 2 3\n3 4 5\n1 2 3 9\n3 4 5\n",
                "1 2 3\n3 4 5\n1 2 3 8\n3 4 5\n",
                "1 2 3\n1 2 3\n1 2 3 9\n3 4 5\n",
            })
    void findsCliquesThatAreLostRepeatedOrChanged(String other) throws IOException {
        assertThat(found(RANKS, other)).isNotEmpty().allMatch(text -> text.contains("cliques.txt"));
    }

    @Test
    void findsAFileThatWasNotWrittenAndTakesNoOldOneForIt() throws IOException {
        write(RANKS, CLIQUES);
        try (OutputComparison comparison = OutputComparison.take(Set.of(ranks, cliques))) {
            Files.writeString(cliques, CLIQUES);

            assertThat(differences(comparison)).containsExactly(ranks + " was not written");
        }
    }

    @Test
    void findsPartsThatAreMissingOrChangedAndTakesTheFolderAway() throws IOException {
        Path table = folder.resolve("table");
        writeParts(table, RANKS, CLIQUES);
        try (OutputComparison comparison = OutputComparison.take(Set.of(table))) {
            assertThat(differences(comparison)).containsExactly(table + " was not written");

            writeParts(table, RANKS, CLIQUES);
            assertThat(differences(comparison)).isEmpty();
            writeParts(table, RANKS, "1 2 3\n");
            assertThat(differences(comparison)).isNotEmpty();
            Files.delete(table.resolve("part-00001.csv"));
            assertThat(differences(comparison))
                    .containsExactly(
                            table
                                    + " has [part-00000.csv] instead of [part-00000.csv, part-00001.csv]");
            comparison.forget();
            assertThat(table).doesNotExist();
        }
    }

    private static void writeParts(Path table, String first, String second) throws IOException {
        Files.createDirectories(table);
        Files.writeString(table.resolve("part-00000.csv"), first);
        Files.writeString(table.resolve("part-00001.csv"), second);
    }

    @Test
    void findsAFileThatWasSeenHalfWritten() throws IOException {
        write(RANKS, CLIQUES);
        try (OutputComparison comparison = OutputComparison.take(Set.of(ranks, cliques))) {
            Files.writeString(ranks, "1 0.25\n");
            comparison.look();
            write(RANKS, CLIQUES);
            comparison.look();

            assertThat(differences(comparison))
                    .containsExactly(ranks + " appeared with 7 bytes of 20");
        }
    }

    @Test
    void findsDraftsThatWereLeftBehind() throws IOException {
        Path draft = Files.writeString(folder.resolve(".ranks.txt.77.whole"), "1 0.");

        assertThat(found(RANKS, CLIQUES)).containsExactly(draft + " was left behind");
    }

    @Test
    void leavesNothingOfItsOwn() throws IOException {
        write(RANKS, CLIQUES);
        OutputComparison comparison = OutputComparison.take(Set.of(ranks, cliques));
        assertThat(comparison.files()).isEqualTo(2);
        assertThat(folder).isEmptyDirectory();

        comparison.close();
        OutputComparison.removeOld(Set.of(ranks, cliques));

        assertThat(folder).isEmptyDirectory();
    }

    private List<String> found(String newRanks, String newCliques) throws IOException {
        write(RANKS, CLIQUES);
        try (OutputComparison comparison = OutputComparison.take(Set.of(ranks, cliques))) {
            write(newRanks, newCliques);
            return differences(comparison);
        }
    }

    private static List<String> differences(OutputComparison comparison) {
        Differences differences = new Differences();
        comparison.compare(differences);
        return differences.told();
    }

    private void write(String newRanks, String newCliques) throws IOException {
        Files.writeString(ranks, newRanks);
        Files.writeString(cliques, newCliques);
    }
}
