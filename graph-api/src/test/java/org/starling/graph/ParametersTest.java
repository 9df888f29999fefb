package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What travels as a parameter comes out as it went in, and nothing else travels. */
@Timeout(10)
class ParametersTest {

    private static final Parameters ALL =
            Parameters.NONE
                    .with("text", "grüß")
                    .with("integer", 1L << 40)
                    .with("number", 0.85)
                    .with("flag", true)
                    .with("integers", new long[] {3, -1, Long.MAX_VALUE})
                    .with("texts", List.of("a", "b"));

    @Test
    void givesBackValuesOfEveryType() {
        assertThat(ALL.text("text")).isEqualTo("grüß");
        assertThat(ALL.integer("integer")).isEqualTo(1L << 40);
        assertThat(ALL.number("number")).isEqualTo(0.85);
        assertThat(ALL.flag("flag")).isTrue();
        assertThat(ALL.integers("integers")).containsExactly(3, -1, Long.MAX_VALUE);
        assertThat(ALL.texts("texts")).containsExactly("a", "b");
    }

    @Test
    void knowsWhatItHas() {
        assertThat(ALL.has("text")).isTrue();
        assertThat(ALL.has("Text")).isFalse();
        assertThat(Parameters.NONE.has("text")).isFalse();
        assertThat(Parameters.NONE.asMap()).isEmpty();
    }

    @Test
    void namesTheMissingValueAndThoseThatAreThere() {
        Parameters some = Parameters.of("depth", 3).with("root", 7);

        assertThatThrownBy(() -> some.text("source"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"source\"")
                .hasMessageContaining("[depth, root]");
        assertThatThrownBy(() -> some.integer("source"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> some.number("source"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> some.integers("source"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> some.texts("source")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesToReadAValueOfAnotherType() {
        assertThatThrownBy(() -> ALL.integer("text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"text\" is grüß, not a Long");
        assertThatThrownBy(() -> ALL.text("integer")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.number("flag")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.flag("number")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Parameters.of("l", List.of(1L, "two")).integers("l"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two");
        assertThatThrownBy(() -> Parameters.of("l", List.of("one", 2L)).texts("l"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2");
        assertThatThrownBy(() -> ALL.integers("integer"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.texts("text")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void neverCutsANumberToAnInteger() {
        assertThatThrownBy(() -> Parameters.of("n", 2.0).integer("n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a Long");
    }

    @Test
    void widensIntegersToNumbers() {
        assertThat(Parameters.of("n", 2).number("n")).isEqualTo(2.0);
        assertThat(Parameters.of("n", -(1L << 53)).number("n")).isEqualTo(-0x1p53);
    }

    @Test
    void takesTheOtherValueOnlyWhereThereIsNone() {
        Parameters some = Parameters.of("n", 5).with("x", 0.5);

        assertThat(some.integer("n", 9)).isEqualTo(5);
        assertThat(some.integer("m", 9)).isEqualTo(9);
        assertThat(some.number("x", 0.9)).isEqualTo(0.5);
        assertThat(some.number("n", 0.9)).isEqualTo(5.0);
        assertThat(some.number("y", 0.9)).isEqualTo(0.9);
        assertThat(some.flag("z")).isFalse();
    }

    @Test
    void doesNotHideAWrongTypeBehindTheOtherValue() {
        assertThatThrownBy(() -> ALL.integer("text", 9))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.number("text", 9))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsOneFormOfEachNumber() {
        assertThat(Parameters.of("n", 7)).isEqualTo(Parameters.of("n", 7L));
        assertThat(Parameters.of("x", 0.5f)).isEqualTo(Parameters.of("x", 0.5));
        assertThat(Parameters.of("list", new long[] {1, 2}))
                .isEqualTo(Parameters.of("list", List.of(1, 2L)));
        assertThat(Parameters.of("n", 7).asMap().get("n")).isInstanceOf(Long.class);
        assertThat(Parameters.of("x", 0.5f).asMap().get("x")).isInstanceOf(Double.class);
    }

    @Test
    void tellsIntegersFromNumbersOfTheSameSize() {
        assertThat(Parameters.of("n", 7)).isNotEqualTo(Parameters.of("n", 7.0));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesNumbersThatAreNotFinite(double number) {
        assertThatThrownBy(() -> Parameters.of("x", number))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"x\" cannot be " + number);
        assertThatThrownBy(() -> Parameters.of("x", (float) number))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Parameters.NONE.with("x", number))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Parameters.of("x", List.of(1.0, number)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesTypesThatDoNotTravel() {
        for (Object value :
                List.of(
                        'c',
                        (byte) 1,
                        (short) 1,
                        BigInteger.ONE,
                        Map.of("a", 1),
                        new int[] {1},
                        new Object(),
                        List.of(List.of(BigInteger.ONE)))) {
            assertThatThrownBy(() -> Parameters.of("x", value))
                    .as("%s", value.getClass())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"x\"");
        }
    }

    @Test
    void keepsTheExtremesOfEachType() {
        for (long integer : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            assertThat(Parameters.of("n", integer).integer("n")).isEqualTo(integer);
        }
        for (double number : new double[] {Double.MAX_VALUE, Double.MIN_VALUE, -0.0}) {
            assertThat(Double.doubleToLongBits(Parameters.of("x", number).number("x")))
                    .isEqualTo(Double.doubleToLongBits(number));
        }
        assertThat(Parameters.of("t", "").text("t")).isEmpty();
        assertThat(Parameters.of("l", List.of()).integers("l")).isEmpty();
        assertThat(Parameters.of("l", List.of()).texts("l")).isEmpty();
        assertThat(Parameters.of("l", new long[0]).integers("l")).isEmpty();
    }

    @Test
    void staysTheSameWhenOneMoreIsAdded() {
        Parameters one = Parameters.of("a", 1);
        Parameters two = one.with("b", 2);
        Parameters replaced = two.with("a", 9);

        assertThat(one.has("b")).isFalse();
        assertThat(two.integer("a")).isEqualTo(1);
        assertThat(replaced.integer("a")).isEqualTo(9);
        assertThat(replaced.integer("b")).isEqualTo(2);
    }

    @Test
    void staysTheSameWhenWhatItWasMadeOfChanges() {
        Map<String, Object> map = new LinkedHashMap<>(Map.of("a", 1));
        List<Object> list = new ArrayList<>(List.of("x"));
        long[] array = {1};
        map.put("list", list);
        map.put("array", array);
        Parameters made = Parameters.of(map);

        map.put("b", 2);
        list.add("y");
        array[0] = 2;

        assertThat(made.has("b")).isFalse();
        assertThat(made.texts("list")).containsExactly("x");
        assertThat(made.integers("array")).containsExactly(1);
    }

    @Test
    void letsNobodyChangeItThroughWhatItGivesOut() {
        assertThatThrownBy(() -> ALL.asMap().put("text", "other"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ALL.asMap().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ALL.texts("texts").set(0, "z"))
                .isInstanceOf(UnsupportedOperationException.class);
        List<?> inner = (List<?>) Objects.requireNonNull(ALL.asMap().get("texts"));
        assertThatThrownBy(inner::removeFirst).isInstanceOf(UnsupportedOperationException.class);
        ALL.integers("integers")[0] = 99;
        assertThat(ALL.integers("integers")[0]).isEqualTo(3);
    }

    @Test
    void isEqualByContentWhateverTheOrder() {
        Parameters ab = Parameters.of("a", 1).with("b", "x");
        Parameters ba = Parameters.of("b", "x").with("a", 1);

        assertThat(ab).isEqualTo(ba).hasSameHashCodeAs(ba);
        assertThat(ab).isNotEqualTo(ba.with("a", 2)).isNotEqualTo(ba.with("c", 2));
        assertThat(ab.equals((Object) ab.asMap())).isFalse();
        assertThat(Parameters.of(Map.of())).isEqualTo(Parameters.NONE);
    }

    @Test
    void keepsTheOrderInWhichValuesWereGiven() {
        Parameters some =
                Parameters.of("z", 1).with("a", 2).with("m", List.of("q", true)).with("z", 3);

        assertThat(some.asMap().keySet()).containsExactly("z", "a", "m");
        assertThat(some).hasToString("{z=3, a=2, m=[q, true]}");
    }
}
