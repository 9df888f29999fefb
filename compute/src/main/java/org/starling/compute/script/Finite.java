package org.starling.compute.script;

import java.util.LinkedHashMap;
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
        results.forEach((name, value) ->
                finite.put(name.toString(), JsonText.withLeaves(value, Finite::only)));
        return finite;
    }

    private static @Nullable Object only(@Nullable Object value) {
        return value instanceof Double number && !Double.isFinite(number) ? null : value;
    }
}
