package org.starling.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Named values that travel: arguments of tasks, parameters of programs and edge sources. Immutable.
 *
 * <p>A value is a {@link String}, {@link Long}, finite {@link Double}, {@link Boolean} or a list of
 * these. Reading a value that is missing or of another type is a bug of the caller and throws
 * {@link IllegalArgumentException}; what users write is checked before.
 */
public final class Parameters {
    /** No values at all. */
    public static final Parameters NONE = new Parameters(Map.of());

    private final Map<String, Object> values;

    private Parameters(Map<String, Object> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Values from a map.
     *
     * @throws IllegalArgumentException if a value is of none of the allowed types, or a number is
     *     not finite
     */
    public static Parameters of(Map<String, ?> values) {
        Map<String, Object> checked = new LinkedHashMap<>();
        values.forEach((name, value) -> checked.put(name, normal(name, value)));
        return new Parameters(checked);
    }

    /** One value. */
    public static Parameters of(String name, Object value) {
        return of(Map.of(name, value));
    }

    /** These values and one more; replaces an older one of that name. */
    public Parameters with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(values);
        more.put(name, normal(name, value));
        return new Parameters(more);
    }

    /** True if there is a value of that name. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The text of that name. */
    public String text(String name) {
        return typed(name, String.class);
    }

    /** The text of that name, or {@code otherwise} if there is none. */
    public String text(String name, String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    /** The integer of that name. */
    public long integer(String name) {
        return typed(name, Long.class);
    }

    /** The integer of that name, or {@code otherwise} if there is none. */
    public long integer(String name, long otherwise) {
        return has(name) ? integer(name) : otherwise;
    }

    /** The number of that name; integers are widened. */
    public double number(String name) {
        return require(name) instanceof Long integer ? (double) integer : typed(name, Double.class);
    }

    /** The number of that name, or {@code otherwise} if there is none. */
    public double number(String name, double otherwise) {
        return has(name) ? number(name) : otherwise;
    }

    /** The flag of that name; false if there is none. */
    public boolean flag(String name) {
        return has(name) && typed(name, Boolean.class);
    }

    /** The list of integers of that name. */
    public long[] integers(String name) {
        return elements(name, Long.class).stream().mapToLong(Long::longValue).toArray();
    }

    /** The list of texts of that name. */
    public List<String> texts(String name) {
        return elements(name, String.class);
    }

    /**
     * The named values of that name, which an argument of type {@link Argument.Type#PARAMETERS}
     * carries as a list of names and values in turns; none if there is nothing of that name.
     */
    public Parameters nested(String name) {
        if (!has(name)) {
            return NONE;
        }
        List<?> list = typed(name, List.class);
        Map<String, Object> inside = new LinkedHashMap<>();
        for (int i = 0; i + 1 < list.size(); i += 2) {
            inside.put((String) list.get(i), list.get(i + 1));
        }
        return new Parameters(inside);
    }

    /** These values and named ones, as {@link #nested} reads them. */
    public Parameters withNested(String name, Parameters inside) {
        List<Object> list = new ArrayList<>();
        inside.values.forEach((inner, value) -> {
            list.add(inner);
            list.add(value);
        });
        return with(name, list);
    }

    /** All values by name, in the order in which they were given. */
    public Map<String, Object> asMap() {
        return values;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Parameters parameters && values.equals(parameters.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }

    private Object require(String name) {
        Object value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "no parameter \"" + name + "\" among " + values.keySet());
        }
        return value;
    }

    private <T> T typed(String name, Class<T> type) {
        Object value = require(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "parameter \"" + name + "\" is " + value + ", not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private <T> List<T> elements(String name, Class<T> type) {
        List<?> list = typed(name, List.class);
        for (Object element : list) {
            if (!type.isInstance(element)) {
                throw new IllegalArgumentException(
                        "parameter \""
                                + name
                                + "\" has "
                                + element
                                + " among its elements, not a "
                                + type.getSimpleName());
            }
        }
        return list.stream().map(type::cast).toList();
    }

    private static Object normal(String name, Object value) {
        return switch (value) {
            case String text -> text;
            case Boolean flag -> flag;
            case Long integer -> integer;
            case Integer integer -> integer.longValue();
            case Double number when Double.isFinite(number) -> number;
            case Float number when Float.isFinite(number) -> number.doubleValue();
            case long[] integers -> Arrays.stream(integers).boxed().toList();
            case List<?> list -> list.stream().map(element -> normal(name, element)).toList();
            default ->
                    throw new IllegalArgumentException(
                            "parameter \""
                                    + name
                                    + "\" cannot be "
                                    + value
                                    + " of "
                                    + value.getClass());
        };
    }
}
