package org.starling.compute.script;

import java.util.List;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunRecord;
import org.starling.graph.GraphSession;

/**
 * What scripts run on: a cluster as {@link ScriptRunner} sees it; by default one process that keeps
 * no graphs. Used from the runner's thread.
 */
public interface ScriptHost {
    /** Graphs, and programs to run on them. */
    GraphSession graphs();

    /**
     * Lets the task that runs throw {@link org.starling.graph.JobCancelledException} at its next
     * wait, because its time is over; any thread. {@link #goOn} takes it back.
     */
    default void stopTask() {}

    /** The task that was to stop has ended: others may run. */
    default void goOn() {}

    /**
     * A task has done its work, well or not: what it has changed of structures takes effect, or
     * does not.
     */
    default void endStructures(boolean well) {}

    /** Number of peers that compute. */
    default int peers() {
        return 1;
    }

    /** True if the peers are separate processes. */
    default boolean separateProcesses() {
        return false;
    }

    /** Largest resident memory of each process so far, in bytes. */
    default List<Long> peakResidentBytes() {
        return List.of();
    }

    /** Supersteps since the start. */
    default long supersteps() {
        return 0;
    }

    /** Messages since the start. */
    default long messages() {
        return 0;
    }

    /** Runs of programs that have ended since this was asked last, the latest of them. */
    default List<RunRecord> takeRuns() {
        return List.of();
    }

    /** Nodes lost and made up for since the start of this job, in their order. */
    default List<RecoveryEvent> recoveryEvents() {
        return List.of();
    }
}
