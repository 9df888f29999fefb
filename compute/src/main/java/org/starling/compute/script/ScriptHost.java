package org.starling.compute.script;

import java.util.List;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunRecord;
import org.starling.graph.GraphSession;

/**
 * What scripts run on: a cluster as {@link ScriptRunner} sees it. Used from the runner's thread.
 */
public interface ScriptHost {
    /** Graphs, and programs to run on them. */
    GraphSession graphs();

    /** Number of peers that compute. */
    int peers();

    /** True if the peers are separate processes. */
    boolean separateProcesses();

    /** Largest resident memory of each process so far, in bytes. */
    List<Long> peakResidentBytes();

    /** Supersteps since the start. */
    long supersteps();

    /** Messages since the start. */
    long messages();

    /** Runs of programs that have ended since this was asked last, the latest of them. */
    default List<RunRecord> takeRuns() {
        return List.of();
    }

    /** Nodes lost and made up for since the start of this job, in their order. */
    default List<RecoveryEvent> recoveryEvents() {
        return List.of();
    }
}
