package org.starling.compute.internal.job;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongPredicate;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.GroupName;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunLog;
import org.starling.compute.RunRecord;
import org.starling.compute.internal.group.Leadership;
import org.starling.compute.internal.group.MasterSession;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.results.ResultStore;
import org.starling.compute.jars.JobCode;
import org.starling.graph.GraphSession;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;

/** The real engine: a master on this node over the peers of the job's group. */
final class ClusterSession implements JobSession {
    private final StoreNode store;
    private final GroupName group;
    private final MasterSession master;
    private final RunLog runs;
    private final ResultStore results;
    private final long job;

    private ClusterSession(
            StoreNode store, GroupName group, MasterSession master, RunLog runs, long job) {
        this.results = new ResultStore(store);
        this.job = job;
        this.store = store;
        this.group = group;
        this.master = master;
        this.runs = runs;
    }

    /**
     * Opens sessions on a node.
     *
     * @param heapBytes memory for chunks of this node; the others are taken to have as much
     * @param active whether this node runs a job
     */
    static Opener on(
            StoreNode store, long heapBytes, CheckpointOptions checkpoints, LongPredicate active) {
        Semaphore removal = new Semaphore(1);
        return (term, needs, admission, listener, sink) -> {
            GroupName group = needs.group();
            Leadership leadership =
                    new Leadership(
                            term,
                            needs.priority().weight(),
                            () -> slaves(store, group),
                            job -> !active.test(job) && hasEnded(store, job),
                            removal,
                            heapBytes * slaves(store, group).length,
                            admission);
            RunLog runs = new RunLog(listener);
            MasterSession master = MasterSession.over(store, leadership, checkpoints);
            return new ClusterSession(
                    store, group, master.begin(runs, sink), runs, Attempt.job(term));
        };
    }

    private static boolean hasEnded(StoreNode store, long job) {
        return store.jobs().job(job).map(known -> known.info().status().isEnded()).orElse(true);
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
    public void putResults(Path folder, int task) {
        results.put(job, task, folder);
    }

    @Override
    public void removeResults(int fromTask) {
        results.removeFrom(job, fromTask);
        results.removeForgotten();
    }

    @Override
    public void beginTask(int index) {
        master.beginTask(index);
    }

    @Override
    public void endStructures(boolean well) {
        master.endStructures(well);
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
        return slaves(store, group).length;
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

    /** Peers of a group that compute, ascending. */
    static int[] slaves(StoreNode store, GroupName group) {
        return store.membership().nodes().stream()
                .filter(node -> group.has(node) && !node.isLeaving())
                .mapToInt(NodeInfo::id)
                .sorted()
                .toArray();
    }
}
