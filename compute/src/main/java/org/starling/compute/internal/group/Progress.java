package org.starling.compute.internal.group;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.compute.RecoveryEvent;

/**
 * How far a job has come, as it is committed: the graphs and states with which a task begins, and
 * perhaps the middle of a run of that task.
 *
 * @param task the task that comes next, or is under way
 * @param graphs chunk of each graph's descriptor by name
 * @param parts states in checkpoints, older ones first
 * @param redo runs since the last of these checkpoints, to be done again
 * @param events losses so far
 * @param crew role of each node that the job works with, or has lost without an event that says so
 * @param inRun the middle of a run; null if there is none
 */
record Progress(
        int task,
        SortedMap<String, Long> graphs,
        List<StatePart> parts,
        List<RunRequest> redo,
        List<RecoveryEvent> events,
        SortedMap<Integer, String> crew,
        @Nullable RunCheckpoint inRun) {
    /** The start of a job. */
    static Progress nothing() {
        return new Progress(
                0, new TreeMap<>(), List.of(), List.of(), List.of(), new TreeMap<>(), null);
    }
}
