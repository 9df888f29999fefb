package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A path into what a script knows while it runs: {@code search.top[0][0]}, {@code vertex}. It
 * starts with the {@code as} of a task or the variable of a loop; names and {@code [index]} lead
 * further in. Immutable.
 *
 * @param text as written
 * @param name where it starts
 * @param steps names ({@link String}) and indices ({@link Integer})
 */
record Reference(String text, String name, List<Object> steps) {
    /** Shape of an {@code as} and of a variable. */
    static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

    /** Shape of a whole path, without groups; {@code *+} needs no stack for long ones. */
    static final String SHAPE = "[A-Za-z_][\\w-]*(?:\\.[\\w-]+|\\[\\d{1,9}])*+";

    private static final Pattern WHOLE =
            Pattern.compile("([A-Za-z_][\\w-]*)((?:\\.[\\w-]+|\\[\\d{1,9}])*+)");
    private static final Pattern STEP = Pattern.compile("\\.([\\w-]+)|\\[(\\d+)]");

    /** The path that a text is; nothing if it is none. */
    static Optional<Reference> parse(String text) {
        Matcher whole = WHOLE.matcher(text);
        if (!whole.matches()) {
            return Optional.empty();
        }
        List<Object> steps = new ArrayList<>();
        Matcher step = STEP.matcher(whole.group(2));
        while (step.find()) {
            String name = step.group(1);
            steps.add(name != null ? name : Integer.valueOf(step.group(2)));
        }
        return Optional.of(new Reference(text, whole.group(1), List.copyOf(steps)));
    }

    /**
     * The value that it leads to.
     *
     * @param values results and variables by name
     * @throws InvalidInputException with one sentence, without the place, if it leads nowhere
     */
    @Nullable Object in(Map<String, ?> values) {
        if (!values.containsKey(name)) {
            throw new InvalidInputException("there is no result \"" + name + "\"");
        }
        return inside(values.get(name));
    }

    /**
     * The value that its steps lead to from another one.
     *
     * @throws InvalidInputException as {@link #in} does
     */
    @Nullable Object inside(@Nullable Object start) {
        Object value = start;
        for (Object step : steps) {
            value = inside(value, step);
        }
        return value;
    }

    private static @Nullable Object inside(@Nullable Object value, Object step) {
        if (value instanceof Map<?, ?> map && map.containsKey(step.toString())) {
            return map.get(step.toString());
        }
        if (value instanceof List<?> list && step instanceof Integer index && index < list.size()) {
            return list.get(index);
        }
        throw new InvalidInputException("there is no \"" + step + "\" in the result");
    }
}
