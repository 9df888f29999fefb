package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results as a script goes on with them. What is no number in JSON (NaN, infinite) is null from the
 * start, as it is for another master that reads them.
 */
final class Finite {
    private Finite() {}

    /** The same results with null for what is not finite. */
    static Map<String, @Nullable Object> only(Map<?, ?> results) {
        Map<String, @Nullable Object> finite = new LinkedHashMap<>();
        results.forEach((name, value) -> finite.put(name.toString(), only(value)));
        return finite;
    }

    private static @Nullable Object only(@Nullable Object value) {
        return switch (value) {
            case Double number when !Double.isFinite(number) -> null;
            case Map<?, ?> map -> only(map);
            case List<?> list -> {
                List<@Nullable Object> finite = new ArrayList<>();
                list.forEach(element -> finite.add(only(element)));
                yield finite;
            }
            case null, default -> value;
        };
    }
}
