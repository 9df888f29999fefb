package org.starling.tasks.graphalytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;

final class MatchRuleTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "EXACT,1 5;2 6,1 5;2 6",
        "EXACT,2 6;1 5,1 5;2 6",
        "EXACT,1 18446744073709551615,1 18446744073709551615",
        "EQUIVALENCE,1 7;2 7;3 9,1 1;2 1;3 3",
        "EPSILON,1 1.0;2 0,1 1.00009;2 0.0",
        "EPSILON,1 Infinity;2 -2,1 infinity;2 -2.0001",
        "EPSILON,1 inf,1 INFINITY",
    })
    void accepts(MatchRule rule, String expected, String actual) throws IOException {
        assertThat(rule.problem(file("expected", expected), file("actual", actual))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    EXACT       | 1 5;2 6       | 1 5;2 7       | vertex 2 has 7, but
                    EQUIVALENCE | 1 7;2 7;3 9   | 1 1;2 2;3 3   | vertex 2 has 2
                    EQUIVALENCE | 1 7;2 8;3 9   | 1 1;2 1;3 3   | vertex 2 has 1
                    EPSILON     | 1 1.0         | 1 1.00011     | vertex 1 has 1.00011, but
                    EPSILON     | 1 0           | 1 1e-300      | vertex 1 has
                    EPSILON     | 1 infinity    | 1 1e300       | vertex 1 has
                    EPSILON     | 1 1e300       | 1 infinity    | vertex 1 has Infinity
                    EPSILON     | 1 1           | 1 NaN         | vertex 1 has NaN
                    EXACT       | 1 5;2 6       | 1 5           | actual: vertex 2 is missing
                    EXACT       | 1 5           | 1 5;2 6       | expected: vertex 2 is missing
                    EXACT       | 1 5;3 5       | 1 5;2 5       | expected: vertex 2 is missing
                    EXACT       | 1 5;2 6;1 5   | 1 5;2 6       | expected: vertex 1 stands there twice
                    EPSILON     | 1 5;2 6       | 1 5;2 6;2 6   | actual: vertex 2 stands there twice
                    """)
    void refuses(MatchRule rule, String expected, String actual, String reason) throws IOException {
        assertThat(rule.problem(file("expected", expected), file("actual", actual)))
                .hasValueSatisfying(problem -> assertThat(problem).contains(reason));
    }

    @ParameterizedTest
    @CsvSource({
        "EXACT,1 x",
        "EXACT,1",
        "EXACT,1 2 3",
        "EXACT,1 2.5",
        "EPSILON,1 x",
        "EPSILON,-1 2"
    })
    void refusesFilesThatAreNoOutputs(MatchRule rule, String text) throws IOException {
        Path good = file("good", "1 2");
        Path bad = file("bad", "1 2;;" + text);

        assertThatThrownBy(() -> rule.problem(bad, good))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("bad:3: expected a vertex id and a ")
                .hasMessageContaining("found \"" + text + "\"");
    }

    @Test
    void comparesManyLinesInAnyOrder() throws IOException {
        StringBuilder ascending = new StringBuilder();
        StringBuilder descending = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            ascending.append(i).append(' ').append(i % 7).append('\n');
            descending.append(4_999 - i).append(' ').append((4_999 - i) % 7 + 100).append('\n');
        }

        assertThat(
                        MatchRule.EQUIVALENCE.problem(
                                file("expected", ascending.toString()),
                                file("actual", descending.toString())))
                .isEmpty();
    }

    private Path file(String name, String lines) throws IOException {
        return Files.writeString(folder.resolve(name), lines.replace(';', '\n') + "\n");
    }
}
