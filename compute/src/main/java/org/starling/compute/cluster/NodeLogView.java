package org.starling.compute.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonRecord;
import org.starling.compute.script.RecordJson;

/**
 * What a node has logged lately, as REST gives it.
 *
 * @param node its id
 * @param lines the last ones, oldest first
 */
public record NodeLogView(int node, List<LogLine> lines) implements JsonRecord {
    /** Copies the list. */
    public NodeLogView {
        lines = List.copyOf(lines);
    }

    static NodeLogView of(@Nullable Object tree) {
        return RecordJson.PLAIN.of(
                NodeLogView.class, tree instanceof Map<?, ?> map ? map : Map.of());
    }
}
