package org.starling.graph;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Named results of a task, in the order in which they were put: numbers, texts, flags, null, lists
 * and maps of these.
 */
public final class TaskResult {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /** Adds a result. */
    public TaskResult put(String name, @Nullable Object value) {
        values.put(name, normal(name, value));
        return this;
    }

    /** All results by name. */
    public Map<String, @Nullable Object> asMap() {
        return Collections.unmodifiableMap(values);
    }

    @Override
    public String toString() {
        return values.toString();
    }

    private static @Nullable Object normal(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> text;
            case Boolean flag -> flag;
            case Integer integer -> integer.longValue();
            case Long integer -> integer;
            case BigInteger integer -> integer;
            case Double number -> number;
            case long[] integers -> Arrays.stream(integers).boxed().toList();
            case List<?> list -> list.stream().map(element -> normal(name, element)).toList();
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> copy = new LinkedHashMap<>();
                map.forEach((key, element) -> copy.put(key.toString(), normal(name, element)));
                yield Collections.unmodifiableMap(copy);
            }
            default ->
                    throw new IllegalArgumentException(
                            "result \"" + name + "\" is of " + value.getClass());
        };
    }
}
