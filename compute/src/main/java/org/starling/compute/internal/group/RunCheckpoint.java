package org.starling.compute.internal.group;

import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.run.MasterRunState;

/**
 * A run between two supersteps as a checkpoint holds it.
 *
 * @param checkpoint number of the checkpoint
 * @param task task of the script that the run belongs to
 * @param run number of the run in the task
 * @param request what was asked for
 * @param state what the master knows
 * @param graphChunk chunk of the descriptor of the version of the graph that it is of; 0 if the
 *     topology has not changed
 * @param version that version
 * @param manifest where each shard's part is, and histograms
 */
record RunCheckpoint(
        long checkpoint,
        int task,
        int run,
        RunRequest request,
        MasterRunState state,
        long graphChunk,
        GraphVersion version,
        Manifest manifest) {
    /** True if it is of the run that is to be done now. */
    boolean isOf(int nowTask, int nowRun, RunRequest now) {
        return task == nowTask && run == nowRun && request.equals(now);
    }
}
