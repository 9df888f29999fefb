package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A question about an earlier result: {@code components.largest >= 1000}, {@code bfs.verified},
 * {@code pr.top[0][1] < 0.5}. The path starts with the {@code as} of a task and the name of one of
 * its results; names and {@code [index]} lead further in. Without a comparison the result must be a
 * flag. Immutable.
 *
 * @param text as written
 * @param name the {@code as}
 * @param steps names ({@link String}) and indices ({@link Integer}), at least one; the first is a
 *     result's name
 * @param comparison null if the result itself is the answer
 * @param literal what the result is compared with: number, text, flag or null
 */
record Condition(
        String text,
        String name,
        List<Object> steps,
        @Nullable Comparison comparison,
        @Nullable Object literal) {
    /** Shape of an {@code as}. */
    static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

    private static final Pattern SHAPE =
            Pattern.compile(
                    "\\s*([A-Za-z_][\\w-]*)((?:\\.[\\w-]+|\\[\\d{1,9}])+)"
                            + "\\s*(?:(==|!=|<=|>=|<|>)\\s*(\\S.*?))?\\s*",
                    Pattern.DOTALL);
    private static final Pattern PATH_STEP = Pattern.compile("\\.([\\w-]+)|\\[(\\d+)]");

    enum Comparison {
        EQUAL("=="),
        UNEQUAL("!="),
        AT_MOST("<="),
        AT_LEAST(">="),
        LESS("<"),
        MORE(">");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        static Comparison of(String sign) {
            for (Comparison comparison : values()) {
                if (comparison.sign.equals(sign)) {
                    return comparison;
                }
            }
            throw new IllegalArgumentException("no comparison " + sign);
        }

        private boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case UNEQUAL -> order != 0;
                case AT_MOST -> order <= 0;
                case AT_LEAST -> order >= 0;
                case LESS -> order < 0;
                case MORE -> order > 0;
            };
        }
    }

    /**
     * Reads a condition.
     *
     * @throws InvalidInputException with a sentence, without the place, if it is none
     */
    static Condition parse(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            throw new InvalidInputException(
                    "expected a condition like \"name.result > 1\", found " + Found.of(text));
        }
        String sign = shape.group(3);
        Comparison comparison = sign == null ? null : Comparison.of(sign);
        Object literal = sign == null ? null : literal(shape.group(4));
        List<Object> steps = steps(shape.group(2));
        if (!(steps.getFirst() instanceof String)) {
            throw new InvalidInputException(
                    "expected the name of a result after \"" + shape.group(1) + "\"");
        }
        return new Condition(text, shape.group(1), steps, comparison, literal);
    }

    /** Name of the result, as in the task's signature. */
    String result() {
        return steps.getFirst().toString();
    }

    /**
     * Answers the question.
     *
     * @param results results by the {@code as} of their tasks
     * @throws InvalidInputException if the path leads nowhere or the values can't be compared
     */
    boolean holds(Map<String, Map<String, @Nullable Object>> results) {
        Object value = results.get(name);
        for (Object step : steps) {
            value = inside(value, step);
        }
        Comparison compared = comparison;
        if (compared == null) {
            if (value instanceof Boolean flag) {
                return flag;
            }
            throw failed("the result is " + Found.of(value) + ", not true or false");
        }
        if (value instanceof Number left && literal instanceof Number right) {
            return compared.holds(order(left, right));
        }
        return switch (compared) {
            case EQUAL -> Objects.equals(value, literal);
            case UNEQUAL -> !Objects.equals(value, literal);
            case AT_MOST, AT_LEAST, LESS, MORE ->
                    throw failed("only numbers have an order; the result is " + Found.of(value));
        };
    }

    private @Nullable Object inside(@Nullable Object value, Object step) {
        if (value instanceof Map<?, ?> map && map.containsKey(step.toString())) {
            return map.get(step.toString());
        }
        if (value instanceof List<?> list && step instanceof Integer index && index < list.size()) {
            return list.get(index);
        }
        throw failed("there is no \"" + step + "\" in the result");
    }

    private InvalidInputException failed(String reason) {
        return new InvalidInputException("condition \"" + text + "\": " + reason);
    }

    private static int order(Number left, Number right) {
        return left instanceof Long a && right instanceof Long b
                ? Long.compare(a, b)
                : Double.compare(left.doubleValue(), right.doubleValue());
    }

    private static List<Object> steps(String path) {
        List<Object> steps = new ArrayList<>();
        Matcher step = PATH_STEP.matcher(path);
        while (step.find()) {
            String name = step.group(1);
            steps.add(name != null ? name : Integer.valueOf(step.group(2)));
        }
        return List.copyOf(steps);
    }

    private static @Nullable Object literal(String text) {
        boolean quoted = text.length() >= 2 && text.startsWith("'") && text.endsWith("'");
        if (quoted) {
            return text.substring(1, text.length() - 1);
        }
        try {
            Object literal = JsonText.parse(text);
            if (!(literal instanceof List<?> || literal instanceof Map<?, ?>)) {
                return literal;
            }
        } catch (InvalidJsonException none) {
            throw new InvalidInputException(noLiteral(text), none);
        }
        throw new InvalidInputException(noLiteral(text));
    }

    private static String noLiteral(String text) {
        return "expected a number, a text in quotes, true, false or null to compare with, found "
                + Found.shorten(text);
    }
}
