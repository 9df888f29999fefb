package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class RecordJsonTest {
    private record Inner(int count, TimeUnit unit) {
        Inner {
            if (count < 0) {
                throw new IllegalArgumentException("it counts from 0 on");
            }
        }
    }

    private record Outer(
            String name,
            long id,
            double share,
            boolean good,
            @Nullable String more,
            Path folder,
            Duration pause,
            List<Inner> inners,
            Map<String, Number> figures,
            Map<String, @Nullable Object> tree) {}

    private static final Outer OUTER =
            new Outer(
                    "a",
                    Long.MAX_VALUE,
                    0.5,
                    true,
                    null,
                    Path.of("/a b"),
                    Duration.ofMillis(1500),
                    List.of(new Inner(1, TimeUnit.DAYS), new Inner(2, TimeUnit.HOURS)),
                    Map.of("x", 1L),
                    tree());

    private static Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("nothing", null);
        tree.put("list", List.of(1L, 2.5, "x"));
        return tree;
    }

    @Test
    void readsWhatItWrote() {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(OUTER);

        Object read = JsonText.parse(JsonText.write(tree));

        assertThat(read).isEqualTo(tree);
        assertThat(RecordJson.PLAIN.of(Outer.class, read)).isEqualTo(OUTER);
        assertThat(tree)
                .doesNotContainKey("more")
                .containsEntry("inners", List.of(inner(1L, "days"), inner(2L, "hours")));
    }

    @Test
    void takesAnEmptyListOrMapForOneThatIsMissingAndPassesOverWhatIsNotMeant() {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(OUTER);
        tree.keySet().removeAll(List.of("inners", "figures", "tree"));
        tree.put("newer", 1L);

        Outer read = RecordJson.PLAIN.of(Outer.class, tree);

        assertThat(read.inners()).isEmpty();
        assertThat(read.figures()).isEmpty();
        assertThat(read.tree()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"count": 1}                      | unit: expected a text, found nothing
                    {"unit": "days"}                  | count: expected a whole number, found nothing
                    {"count": 1.0, "unit": "days"}    | count: expected a whole number, found 1.0
                    {"count": "1", "unit": "days"}    | count: expected a whole number, found "1"
                    {"count": 4294967296, "unit": ""} | count: expected a whole number of 32 bits, found 4294967296
                    {"count": 1, "unit": "years"}     | unit: expected a known word, found "years"
                    {"count": -1, "unit": "days"}     | it counts from 0 on
                    [1]                               | expected an object, found a list
                    """)
    void refuses(String text, String message) {
        assertThatThrownBy(() -> RecordJson.PLAIN.of(Inner.class, JsonText.parse(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void namesTheWayToWhatIsWrong() {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(OUTER);
        tree.put("inners", List.of(inner(1L, "years")));

        assertThatThrownBy(() -> RecordJson.PLAIN.of(Outer.class, tree))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inners.unit: expected a known word, found \"years\"");
    }

    private static Map<String, Object> inner(long count, String unit) {
        return Map.of("count", count, "unit", unit);
    }
}
