package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonTextTest {
    @Test
    void readsEveryKindOfValue() {
        Object tree =
                JsonText.parse(
                        """
                        {"z": [1, -2, 18446744073709551615, 0.5, 1e3], "a": {"t": true, "n": null}}
                        """);

        Map<String, Object> inner = new LinkedHashMap<>();
        inner.put("t", true);
        inner.put("n", null);
        assertThat(tree)
                .isEqualTo(
                        Map.of(
                                "z",
                                List.of(
                                        1L,
                                        -2L,
                                        new BigInteger("18446744073709551615"),
                                        0.5,
                                        1000.0),
                                "a",
                                inner));
        assertThat(tree).asInstanceOf(InstanceOfAssertFactories.MAP).containsOnlyKeys("z", "a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"a": 1,}                  | line 1, column 9
                    {"a" 1}                    | line 1, column 6
                    {"a": 1                    | line 1, column 8
                    [1 2]                      | line 1, column 4
                    {a: 1}                     | line 1, column 2
                    {"a": 1} true              | line 1, column 10
                    {"a": 1, "a": 2}           | line 1, column 13
                    {"a": 1e999}               | line 1, column 7
                    """)
    void saysWhereTextIsNotJson(String text, String place) {
        assertThatThrownBy(() -> JsonText.parse(text))
                .isInstanceOfSatisfying(
                        InvalidJsonException.class,
                        refused -> {
                            assertThat(refused.place()).isEqualTo(place);
                            assertThat(refused.problem()).isNotEmpty().doesNotContain("\n");
                        });
    }

    @Test
    void countsLines() {
        assertThatThrownBy(() -> JsonText.parse("{\n  \"a\": 1,\n  // no\n}"))
                .hasMessageStartingWith("line 3, column 3: not JSON");
    }

    @Test
    void refusesADuplicateNameInSoManyWords() {
        assertThatThrownBy(() -> JsonText.parse("{\"file\": 1, \"file\": 2}"))
                .hasMessageEndingWith("\"file\" stands here twice");
    }

    @Test
    void refusesNestingPastItsBound() {
        String deep = "[".repeat(ScriptBounds.MAX_JSON_DEPTH + 1);

        assertThatThrownBy(() -> JsonText.parse(deep))
                .hasMessageContaining("nested deeper than " + ScriptBounds.MAX_JSON_DEPTH);
    }

    @Test
    void refusesAnEmptyText() {
        assertThatThrownBy(() -> JsonText.parse("")).isInstanceOf(InvalidJsonException.class);
    }

    @Test
    void writesWhatItReads() {
        String text = "{\"a\": [1, -2, 0.5, true, null, \"ä<&>\\n\"], \"b\": {}}";

        assertThat(JsonText.write(JsonText.parse(text))).isEqualTo(text);
        assertThat(JsonText.parse(JsonText.writeIndented(JsonText.parse(text))))
                .isEqualTo(JsonText.parse(text));
    }

    @Test
    void writesNumbersThatAreNoneAsNull() {
        assertThat(JsonText.write(Arrays.asList(Double.NaN, Double.POSITIVE_INFINITY, 1.0)))
                .isEqualTo("[null, null, 1.0]");
    }
}
