package org.starling.compute.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a bench measured. Immutable.
 *
 * @param figures by name, as a JSON tree
 * @param table the same for people, in lines
 */
public record BenchResult(Map<String, @Nullable Object> figures, String table) {
    /** Copies the figures, whose order is kept. */
    public BenchResult {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
}
