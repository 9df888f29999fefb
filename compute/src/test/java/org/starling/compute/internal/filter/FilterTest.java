package org.starling.compute.internal.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.NearestName;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;

/** Conditions: what they mean, how mistakes are told, and that nothing else ever happens. */
@Timeout(60)
final class FilterTest {
    private static final List<Property> COLUMNS =
            List.of(
                    Property.of("age", PropertyType.INT),
                    Property.of("id", PropertyType.LONG),
                    Property.of("alive", PropertyType.BOOLEAN),
                    Property.of("score", PropertyType.DOUBLE),
                    new Property("place", PropertyType.FLOAT, 3),
                    Property.of("odd name", PropertyType.FLOAT),
                    Property.of("name", PropertyType.STRING));

    /** Age 30, id -5, alive, score 2.5, place 1 2 3, odd name 7. */
    private static final double[][] ROW = {{30}, {-5}, {1}, {2.5}, {1, 2, 3}, {7}};

    private static final String NAME = "Ada \"\\\" \uFF5E";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "age > 30 ~ false",
                "age >= 30 ~ true",
                "age == 30 and score < 2.6 ~ true",
                "alive ~ true",
                "not alive or age != 30 ~ false",
                "not (alive and age != 30) ~ true",
                "not not alive ~ true",
                "alive == (age == 30) ~ true",
                "alive != true ~ false",
                "age + 1 * 2 == 32 ~ true",
                "(age + 1) * 2 == 62 ~ true",
                "age - 10 - 5 == 15 ~ true",
                "age / 4 == 7.5 ~ true",
                "age % 7 == 2 ~ true",
                "id % 3 == -2 ~ true",
                "9223372036854775807 % -10 == 7 ~ true",
                "-9223372036854775808 + 1 == -9223372036854775807 ~ true",
                "age - 1 == 29 ~ true",
                "age -1 == 29 ~ true",
                "- 2.5 + -1e1 == -12.5 ~ true",
                "age % 0 == 0 ~ false",
                "age / 0 > 1e300 ~ true",
                "-id == 5 ~ true",
                "--age == 30 ~ true",
                "place[0] + place[2] == 4 ~ true",
                "```odd name`` == 7` ~ true",
                "score*2==5. and age==30 ~ true",
                "false or 1.5e1 == 15 ~ true",
                "9223372036854775807 + 1 < 0 ~ true",
                "true or false and false ~ true",
                "name == \"Ada \\\"\\\\\\\" \uFF5E\" ~ true",
                "name == 'Ada \"\\\" \uFF5E' ~ true",
                "name != 'Ada' and 'Ada' < name and name > 'Ad' ~ true",
                "name == 'Ada' or name <= '' or name >= 'Adb' ~ false",
                "name < 'Ada \"\\\" \uD83D\uDC26' ~ true",
                "'and' == \"and\" and (name == name) == true ~ true",
                "'' < 'a' and 'a' < 'aa' and not ('b' <= 'aa') ~ true",
            })
    void means(String condition, boolean expected) {
        assertThat(holds(condition)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\u0001',
            value = {
                "agee > 30 ~ at character 1 of \"agee > 30\": there is no column \"agee\"; did you"
                        + " mean \"age\"?",
                "1 < zzzz ~ at character 5 of \"1 < zzzz\": there is no column \"zzzz\"; valid:"
                        + " age, alive, id, name, odd name, place, score",
                "age ~ at character 1 of \"age\": expected something that is true or false, such as"
                        + " a comparison, found a whole number",
                "age = 3 ~ at character 5 of \"age = 3\": to compare, write \"==\"",
                "alive && age > 3 ~ at character 7 of \"alive && age > 3\": write \"and\"",
                "!alive ~ write \"not\" or \"!=\"",
                "age > ~ at character 6 of \"age >\": expected a number, a string or a column,"
                        + " found the end",
                "(age > 3 ~ expected \")\", found the end",
                "age > 3) ~ expected and, or, a comparison or the end, found \")\"",
                "age > 3 age ~ expected and, or, a comparison or the end, found \"age\"",
                "1 < age < 3 ~ comparisons stand apart: write a < b and b < c",
                "alive > 3 ~ \">\" can't compare something that is true or false with a whole"
                        + " number",
                "alive < true ~ true and false can be compared by == and !=",
                "alive + 1 > 3 ~ expected a number beside \"+\", found something that is true or"
                        + " false",
                "age and alive ~ at character 1 of \"age and alive\": expected something that is"
                        + " true or false beside \"and\"",
                "place > 3 ~ column \"place\" is float[3]; name one of its elements, as place[0]",
                "place[3] > 3 ~ column \"place\" is float[3], whose elements are 0 to 2",
                "age[0] > 3 ~ column \"age\" is int and has no elements",
                "place[x] > 3 ~ expected the index of an element, found \"x\"",
                "99999999999999999999 > age ~ \"99999999999999999999\" is no number of 64 bits",
                "3d > age ~ \"3d\" is no number of 64 bits",
                "1.2.3 > age ~ \"1.2.3\" is no number of 64 bits",
                "1e999 > age ~ \"1e999\" is no number of 64 bits",
                "age > 3; drop ~ at character 8 of \"age > 3; drop\": ';' has no meaning here",
                "`age > 3 ~ a second backquote is missing",
                "`` > 3 ~ a column has no name",
                "name > 3 ~ at character 6 of \"name > 3\": \">\" can't compare a string with a"
                        + " whole number",
                "alive == 'true' ~ \"==\" can't compare something that is true or false with a"
                        + " string",
                "name ~ such as a comparison, found a string",
                "name + 'x' == '' ~ expected a number beside \"+\", found a string",
                "name and alive ~ expected something that is true or false beside \"and\", found a"
                        + " string",
                "name[0] == '' ~ column \"name\" is string and has no elements",
                "name == 'Ada ~ at character 9 of \"name == 'Ada\": a second quotation mark is"
                        + " missing",
                "name == \"Ada' ~ a second quotation mark is missing",
                "name == \"A\\da\" ~ behind a backslash stands \" or another backslash",
                "name == \"Ada\\ ~ behind a backslash stands \" or another backslash",
            })
    void saysWhereAMistakeIs(String condition, String sentence) {
        assertThatThrownBy(() -> holds(condition))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesWhatIsTooLongOrTooDeep() {
        assertThatThrownBy(() -> holds("(".repeat(2_000) + "alive" + ")".repeat(2_000)))
                .hasMessageContaining("more than 100 things stand within one another");
        assertThatThrownBy(() -> holds("alive" + " or alive".repeat(600)))
                .hasMessageContaining("more than 500 operators");
        assertThatThrownBy(() -> holds("alive" + " ".repeat(10_000)))
                .hasMessageContaining("at most 10000 characters, this one has 10005");
        assertThat(holds("(".repeat(99) + "alive" + ")".repeat(99))).isTrue();
        assertThat(holds("alive" + " or alive".repeat(500))).isTrue();
    }

    /** A random condition is as true as the same in plain Java. */
    @RepeatedTest(20)
    void meansWhatJavaDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Made made = bool(random, 4);
            assertThat(holds(made.text)).as("seed %d: %s", seed, made.text).isEqualTo(made.truth);
        }
    }

    /** Whatever is written, there is a meaning or a sentence, and never anything else. */
    @RepeatedTest(20)
    void hasASentenceForEveryMistake() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 1_000; i++) {
            String condition = mutated(random, bool(random, 3).text);
            try {
                holds(condition);
            } catch (InvalidInputException sentence) {
                assertThat(sentence.getMessage())
                        .as("seed %d: %s", seed, condition)
                        .startsWith("at character ")
                        .doesNotContain("null");
                refused++;
            } catch (RuntimeException | StackOverflowError other) {
                throw new AssertionError("seed %d: %s".formatted(seed, condition), other);
            }
        }
        assertThat(refused).as("seed %d", seed).isBetween(300, 1_000);
    }

    private static String mutated(Random random, String condition) {
        String pieces = "()[]<>=!+-*/%`.;&|eE0129 \"'\\\u0000äageidnotandortrue_";
        StringBuilder text = new StringBuilder(condition);
        for (int i = random.nextInt(4); i >= 0 && !text.isEmpty(); i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, pieces.charAt(random.nextInt(pieces.length())));
                case 2 -> text.setCharAt(at, pieces.charAt(random.nextInt(pieces.length())));
                default -> text.setLength(at);
            }
        }
        return text.toString();
    }

    private record Made(String text, boolean truth, boolean whole, long count, double measure) {}

    private static Made bool(Random random, int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(5)) {
            case 0 -> {
                boolean value = random.nextBoolean();
                yield truth(value ? "alive" : "false", value);
            }
            case 1 -> {
                Made inner = bool(random, depth - 1);
                yield truth("not (" + inner.text + ")", !inner.truth);
            }
            case 2 -> {
                Made left = bool(random, depth - 1);
                Made right = bool(random, depth - 1);
                boolean and = random.nextBoolean();
                yield truth(
                        "(%s %s %s)".formatted(left.text, and ? "and" : "or", right.text),
                        and ? left.truth && right.truth : left.truth || right.truth);
            }
            default -> {
                yield comparison(random, number(random, depth), number(random, depth));
            }
        };
    }

    private static Made truth(String text, boolean value) {
        return new Made(text, value, false, 0, 0);
    }

    private static Made comparison(Random random, Made left, Made right) {
        List<String> operators = List.of("==", "!=", "<", "<=", ">", ">=");
        String operator = operators.get(random.nextInt(operators.size()));
        boolean whole = left.whole && right.whole;
        boolean less = whole ? left.count < right.count : left.measure < right.measure;
        boolean more = whole ? left.count > right.count : left.measure > right.measure;
        boolean equal = whole ? left.count == right.count : left.measure == right.measure;
        boolean value =
                switch (operator) {
                    case "==" -> equal;
                    case "!=" -> !equal;
                    case "<" -> less;
                    case "<=" -> less || equal;
                    case ">" -> more;
                    default -> more || equal;
                };
        return truth("%s%s%s".formatted(left.text, operator, right.text), value);
    }

    private static Made number(Random random, int depth) {
        return switch (depth == 0 ? random.nextInt(3) : random.nextInt(5)) {
            case 0 -> {
                yield whole("age", 30);
            }
            case 1 -> {
                long value = random.nextInt(100);
                yield whole(Long.toString(value), value);
            }
            case 2 -> {
                int element = random.nextInt(3);
                yield real("place[%d]".formatted(element), element + 1);
            }
            default -> {
                Made left = number(random, depth - 1);
                Made right = number(random, depth - 1);
                char operator = "+-*/".charAt(random.nextInt(4));
                String text = "(%s %s %s)".formatted(left.text, operator, right.text);
                if (left.whole && right.whole && operator != '/') {
                    yield whole(
                            text,
                            switch (operator) {
                                case '+' -> left.count + right.count;
                                case '-' -> left.count - right.count;
                                default -> left.count * right.count;
                            });
                }
                yield real(
                        text,
                        switch (operator) {
                            case '+' -> left.measure + right.measure;
                            case '-' -> left.measure - right.measure;
                            case '*' -> left.measure * right.measure;
                            default -> left.measure / right.measure;
                        });
            }
        };
    }

    private static Made whole(String text, long value) {
        return new Made(text, false, true, value, value);
    }

    private static Made real(String text, double value) {
        return new Made(text, false, false, 0, value);
    }

    private static boolean holds(String condition) {
        BiFunction<String, java.util.Collection<String>, String> hint = NearestName::hint;
        return Filter.parse(condition).over(new ArrayList<>(COLUMNS), hint).holds(new Row());
    }

    /** The one row. */
    private static final class Row implements Filter.Row {
        @Override
        public long asLong(int column, int element) {
            return (long) ROW[column][element];
        }

        @Override
        public double asDouble(int column, int element) {
            return ROW[column][element];
        }

        @Override
        public MemorySegment utf8(int column) {
            assertThat(COLUMNS.get(column).name()).isEqualTo("name");
            return MemorySegment.ofArray(NAME.getBytes(StandardCharsets.UTF_8));
        }
    }
}
