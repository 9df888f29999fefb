package org.starling.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as the same result. */
final class DifferencesTest {
    private final Differences differences = new Differences();

    @Test
    void findsNoneWhereOnlyTimesAndRoundingDiffer() {
        differences.compare("r", result(7, 0.25, 1.5), result(7, 0.25 * (1 + 9e-10), 99.0));

        assertThat(differences.told()).isEmpty();
        assertThat(differences.values()).isEqualTo(4);
    }

    @Test
    void findsAnIntegerThatIsOneMore() {
        differences.compare("r", result(7, 0.25, 1), result(8, 0.25, 1));

        assertThat(differences.told()).containsExactly("r.reached: 8, not 7");
    }

    @Test
    void findsAFloatThatIsTwiceTheToleranceAway() {
        differences.compare("r", result(7, 0.25, 1), result(7, 0.25 * (1 + 2e-9), 1));

        assertThat(differences.count()).isEqualTo(1);
        assertThat(differences.told().getFirst()).startsWith("r.top[0][1]: 0.25");
    }

    @Test
    void findsMissingAndAdditionalParts() {
        Map<String, @Nullable Object> more = result(7, 0.25, 1);
        more.put("extra", true);

        differences.compare("r", result(7, 0.25, 1), more);
        differences.compare("r", List.of(1L, 2L), List.of(1L));
        differences.compare("r", List.of(), Map.of());

        assertThat(differences.told())
                .containsExactly(
                        "r.extra: true, not null", "r: 1 elements, not 2", "r: {}, not []");
    }

    @ParameterizedTest
    @CsvSource({
        "5 0.25, 5 0.25, true",
        "5 0.25, 5 0.25000000000000006, true",
        "5 1.0E-300, 5 1.0000000001E-300, true",
        "5 NaN, 5 NaN, true",
        "5 0.25, 5 0.2500001, false",
        "5 0.25, 6 0.25, false",
        "5 7, 5 8, false",
        "123456789012345678 1, 123456789012345679 1, false",
        "5 7, 5 7.0, false",
        "5 NaN, 5 0.0, false",
        "5 Infinity, 5 1.0, false",
        "5 6, 5 6 7, false",
        "5 a, 5 b, false",
    })
    void comparesLinesWordByWord(String expected, String found, boolean same) {
        differences.compareLines("f:1", expected, found);

        assertThat(differences.count()).isEqualTo(same ? 0 : 1);
    }

    @Test
    void countsMoreThanItTells() {
        for (int i = 0; i < 1000; i++) {
            differences.compareLines("f:" + i, "a", "b");
        }

        assertThat(differences.count()).isEqualTo(1000);
        assertThat(differences.told()).hasSize(Differences.MAX_TOLD);
    }

    private static Map<String, @Nullable Object> result(long reached, double score, double time) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("reached", reached);
        tree.put("missing", null);
        tree.put("top", new ArrayList<>(List.of(List.of(3L, score))));
        tree.put("seconds", time);
        tree.put("generationSeconds", time);
        return tree;
    }
}
