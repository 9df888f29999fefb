package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.JobCancelledException;

/**
 * Columns of other graphs that a job's runs want, on one slave: made before a run is prepared,
 * given to its graph when it is, and taken back if it fails. Owned by {@link SlaveJob}; any thread.
 */
final class SlaveJoins {
    private final Map<Long, Set<StopSign>> working = new ConcurrentHashMap<>();

    /** What runs have not been given yet; guarded by this, as all below. */
    private final Map<Long, List<Column>> made = new ConcurrentHashMap<>();

    private final Map<Long, Given> given = new ConcurrentHashMap<>();

    private record Given(StoredGraph graph, List<String> states) {}

    /** The largest number of a run that has ended: what comes for it is too late. */
    private long lastEnded;

    /** Makes a column for a run. */
    void make(long run, Function<StopSign, Column> work) {
        StopSign stop = new StopSign();
        working.computeIfAbsent(run, _ -> ConcurrentHashMap.newKeySet()).add(stop);
        try {
            Column column = work.apply(stop);
            if (!add(run, column)) {
                column.close();
                throw new JobCancelledException("the run has ended");
            }
        } finally {
            working.computeIfPresent(
                    run,
                    (_, signs) -> {
                        signs.remove(stop);
                        return signs.isEmpty() ? null : signs;
                    });
        }
    }

    private synchronized boolean add(long run, Column column) {
        if (run <= lastEnded) {
            return false;
        }
        made.computeIfAbsent(run, _ -> new ArrayList<>()).add(column);
        return true;
    }

    /** Gives a run's graph its columns. */
    synchronized void give(long run, StoredGraph graph) {
        List<Column> columns = taken(run);
        if (!columns.isEmpty()) {
            columns.forEach(graph::putState);
            given.put(run, new Given(graph, columns.stream().map(Column::name).toList()));
        }
    }

    /** A run has ended, or will not begin; its graph's columns go if it has failed. */
    synchronized void end(long run, boolean succeeded) {
        lastEnded = Math.max(lastEnded, run);
        working.getOrDefault(run, Set.of()).forEach(StopSign::raise);
        taken(run).forEach(Column::close);
        Given ended = given.remove(run);
        if (ended != null && !succeeded) {
            ended.states.forEach(ended.graph::dropState);
        }
    }

    /** Lets all work stop soon. */
    void stopAll() {
        working.values().forEach(signs -> signs.forEach(StopSign::raise));
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
