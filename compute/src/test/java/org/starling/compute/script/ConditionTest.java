package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.TaskResult;

final class ConditionTest {
    private static final Map<String, Map<String, Object>> RESULTS =
            Map.of(
                    "cc",
                            new TaskResult()
                                    .put("components", 3)
                                    .put("name", "a b")
                                    .put("share", 0.25)
                                    .put("verified", true)
                                    .put("nothing", null)
                                    .asMap(),
                    "pr",
                            new TaskResult()
                                    .put("top", List.of(List.of(34, 0.1), List.of(1, 0.09)))
                                    .put("sizes", Map.of("5", 2))
                                    .asMap());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    cc.components > 2            | true
                    cc.components > 3            | false
                    cc.components >= 3           | true
                    cc.components < 3            | false
                    cc.components <= 3           | true
                    cc.components == 3           | true
                    cc.components == 3.0         | true
                    cc.components != 3           | false
                      cc.components>2            | true
                    cc.share < 1                 | true
                    cc.name == "a b"             | true
                    cc.name == 'a b'             | true
                    cc.name != "a"               | true
                    cc.name == 3                 | false
                    cc.verified                  | true
                    cc.verified == true          | true
                    cc.verified == false         | false
                    cc.nothing == null           | true
                    cc.nothing != null           | false
                    pr.top[0][0] == 34           | true
                    pr.top[1][1] < 0.08          | false
                    pr.sizes.5 == 2              | true
                    cc.components > pr.sizes.5   | true
                    pr.top[0][0] < cc.components | false
                    cc.components>2 and cc.verified             | true
                    cc.components>3 and cc.verified             | false
                    cc.components>3 or cc.verified              | true
                    not cc.verified                             | false
                    not cc.components > 3                       | true
                    not (cc.verified and cc.components == 3)    | false
                    cc.verified or cc.nothing and cc.nothing    | true
                    (cc.verified or cc.share < 1) and cc.components < 3 | false
                    cc.name == 'x and y' or cc.name == "a b"    | true
                    cc.components==3 and not cc.share==1        | true
                    cc.components > -1                          | true
                    cc.share > 2.5e-1 or cc.share == 0.25       | true
                    """)
    void answers(String text, boolean answer) {
        assertThat(Condition.parse(text).holds(RESULTS)).isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cc.components > 1 and",
                "cc.components > 1 or or cc.verified",
                "(cc.verified",
                "cc.verified)",
                "not",
                "not and",
                "cc.verified cc.verified",
                "cc.components >",
                "cc.components => 1",
                "cc.components > 1 > 2",
                "1 < cc.components",
                "cc.components > [1]",
                "cc.components > 'abc",
                "cc..components > 1"
            })
    void refuses(String text) {
        assertThatThrownBy(() -> Condition.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("expected ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cc.components        | the result is 3, not true or false
                    cc.name < 3          | only numbers have an order; the result is "a b"
                    cc.components.deep==1| there is no "deep" in the result
                    pr.top[2][0] == 1    | there is no "2" in the result
                    """)
    void saysWhyItCanNotAnswer(String text, String reason) {
        assertThatThrownBy(() -> Condition.parse(text).holds(RESULTS))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("condition \"%s\": %s", text, reason);
    }

    @Test
    void asksNoFurtherThanItMust() {
        assertThat(Condition.parse("cc.verified or cc.missing").holds(RESULTS)).isTrue();
        assertThat(Condition.parse("not cc.verified and cc.missing").holds(RESULTS)).isFalse();
    }

    @Test
    void saysWhereItCanNotBeRead() {
        assertThatThrownBy(() -> Condition.parse("cc.a > 1 and > 2"))
                .hasMessage(
                        "expected a result like \"name.result\" at character 14 of \"cc.a > 1 and > 2\", found \"> 2\"");
        assertThatThrownBy(() -> Condition.parse("(".repeat(40) + "a.b" + ")".repeat(40)))
                .hasMessageContaining("nested at most 32 levels deep");
    }

    @Test
    void comparesLargeWholeNumbersExactly() {
        Map<String, Map<String, Object>> large = Map.of("a", Map.of("n", Long.MAX_VALUE - 1));

        assertThat(Condition.parse("a.n < " + Long.MAX_VALUE).holds(large)).isTrue();
    }

    @Test
    void readsPathsAndTextsThatAreVeryLong() {
        Reference path = Condition.parse("a" + ".b[0]".repeat(20_000) + " == 1").paths().getFirst();
        Map<String, Map<String, Object>> said = Map.of("a", Map.of("text", "x".repeat(40_000)));

        assertThat(path.steps()).hasSize(40_000);
        assertThat(Reference.parse(path.text())).contains(path);
        assertThat(Condition.parse("a.text == \"" + "x".repeat(40_000) + '"').holds(said)).isTrue();
    }
}
