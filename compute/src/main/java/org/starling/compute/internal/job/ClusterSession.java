package org.starling.compute.internal.job;

import java.util.Arrays;
import java.util.List;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.CheckpointSink;
import org.starling.compute.JobListener;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunLog;
import org.starling.compute.RunRecord;
import org.starling.compute.internal.group.MasterSession;
import org.starling.compute.jars.JobCode;
import org.starling.graph.GraphSession;
import org.starling.store.Role;
import org.starling.store.StoreNode;

/** The real engine: a master on this node over all peers that compute, this node among them. */
final class ClusterSession implements JobSession {
    private final StoreNode store;
    private final MasterSession master;
    private final RunLog runs;

    private ClusterSession(StoreNode store, MasterSession master, RunLog runs) {
        this.store = store;
        this.master = master;
        this.runs = runs;
    }

    /**
     * Opens sessions on a node.
     *
     * @param heapBytes memory for chunks of this node; the others are taken to have as much
     */
    static Opener on(StoreNode store, long heapBytes, CheckpointOptions checkpoints) {
        return (term, listener, sink) -> open(store, heapBytes, checkpoints, term, listener, sink);
    }

    private static ClusterSession open(
            StoreNode store,
            long heapBytes,
            CheckpointOptions checkpoints,
            long term,
            JobListener listener,
            CheckpointSink sink) {
        MasterSession master =
                MasterSession.over(
                        store,
                        JobRun.job(term),
                        term,
                        () -> slaves(store),
                        heapBytes * slaves(store).length,
                        checkpoints);
        RunLog runs = new RunLog(listener);
        return new ClusterSession(store, master.begin(runs, sink), runs);
    }

    @Override
    public void resume(byte[] progress, int lostMaster, long detectedNanos) {
        master.resume(progress, lostMaster, detectedNanos);
    }

    @Override
    public void use(JobCode code) {
        master.use(code);
    }

    @Override
    public List<String> keptGraphs() {
        return master.keptGraphs();
    }

    @Override
    public void beginTask(int index) {
        master.beginTask(index);
    }

    @Override
    public void endTask() {
        master.endTask();
    }

    @Override
    public void endJob() {
        master.endJob();
    }

    @Override
    public void cancel() {
        master.cancel();
    }

    @Override
    public void stopTask() {
        master.stopTask(true);
    }

    @Override
    public void goOn() {
        master.stopTask(false);
    }

    @Override
    public GraphSession graphs() {
        return master;
    }

    @Override
    public int peers() {
        return slaves(store).length;
    }

    @Override
    public boolean separateProcesses() {
        return true;
    }

    @Override
    public List<Long> peakResidentBytes() {
        return Arrays.stream(master.peakResidentBytes()).boxed().toList();
    }

    @Override
    public long supersteps() {
        return master.supersteps();
    }

    @Override
    public long messages() {
        return master.messages();
    }

    @Override
    public List<RunRecord> takeRuns() {
        return runs.take();
    }

    @Override
    public List<RecoveryEvent> recoveryEvents() {
        return master.recoveryEvents();
    }

    /** Peers that compute, ascending. */
    private static int[] slaves(StoreNode store) {
        return store.membership().nodes().stream()
                .filter(node -> node.role() == Role.PEER)
                .filter(node -> node.computes())
                .mapToInt(node -> node.id())
                .sorted()
                .toArray();
    }
}
