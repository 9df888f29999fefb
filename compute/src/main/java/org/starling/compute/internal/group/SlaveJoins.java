package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.StoredGraph;

/**
 * Columns of other graphs that a job's runs want, on one slave: made before a run is prepared,
 * given to its graph when it is, and taken back if it fails. Owned by {@link SlaveJob}; any thread.
 */
final class SlaveJoins {
    /** What runs have not been given yet; guarded by this, as all below. */
    private final Map<Long, List<Column>> made = new HashMap<>();

    private final Map<Long, Given> given = new HashMap<>();

    private record Given(StoredGraph graph, List<String> states) {}

    /** Takes a column for a run that has not ended. */
    synchronized void add(long run, Column column) {
        made.computeIfAbsent(run, _ -> new ArrayList<>()).add(column);
    }

    /** Gives a run's graph its columns. */
    synchronized void give(long run, StoredGraph graph) {
        List<Column> columns = taken(run);
        if (!columns.isEmpty()) {
            columns.forEach(graph::putState);
            given.put(run, new Given(graph, columns.stream().map(Column::name).toList()));
        }
    }

    /**
     * A run has ended, or will not begin, and nobody makes columns for it any more; its graph's
     * columns go if it has failed.
     */
    synchronized void end(long run, boolean succeeded) {
        taken(run).forEach(Column::close);
        Given ended = given.remove(run);
        if (ended != null && !succeeded) {
            ended.states.forEach(ended.graph::dropState);
        }
    }

    /** Frees what no run has been given; nobody works any more. */
    synchronized void close() {
        made.values().forEach(columns -> columns.forEach(Column::close));
        made.clear();
        given.clear();
    }

    private List<Column> taken(long run) {
        List<Column> columns = made.remove(run);
        return columns == null ? List.of() : columns;
    }
}
