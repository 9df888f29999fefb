package org.starling.cli;

import java.util.List;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.RunLog;
import org.starling.compute.RunRecord;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.jars.JarContents;
import org.starling.graph.GraphSession;

/**
 * A {@link ComputeCluster} as commands use it. Owned by one command; used from its thread, except
 * {@link #cancel()}.
 */
final class EmbeddedCluster implements Cluster {
    private final ComputeCluster cluster;
    private GraphSession session;

    private final RunLog runs;

    private EmbeddedCluster(ComputeCluster cluster, Progress progress) {
        this.cluster = cluster;
        this.runs = new RunLog(progress);
        this.session = cluster.session(runs);
    }

    /** Starts peers in this process or in processes of their own, as the settings say. */
    static Cluster start(Settings settings, Progress progress) {
        ClusterOptions options =
                new ClusterOptions(
                        settings.get(Settings.PEERS),
                        settings.get(Settings.PROCESSES),
                        settings.get(Settings.THREADS),
                        settings.get(Settings.MEMORY),
                        settings.tuning());
        try {
            ComputeCluster cluster = ComputeCluster.start(options);
            if (settings.get(Settings.TRANSPORT) == Settings.Transport.INFINIBAND) {
                progress.line(cluster.transport());
            }
            return new EmbeddedCluster(cluster, progress);
        } catch (IllegalStateException | ClusterException down) {
            throw new ClusterException("the cluster did not start: " + down.getMessage(), down);
        }
    }

    @Override
    public void stopTask() {
        cluster.stopTask(true);
    }

    @Override
    public void goOn() {
        cluster.stopTask(false);
    }

    @Override
    public void endStructures(boolean well) {
        cluster.endStructures(well);
    }

    @Override
    public GraphSession graphs() {
        return session;
    }

    @Override
    public int peers() {
        return cluster.peers();
    }

    @Override
    public boolean separateProcesses() {
        return cluster.separateProcesses();
    }

    @Override
    public List<Long> peakResidentBytes() {
        return cluster.peakResidentBytes();
    }

    @Override
    public long supersteps() {
        return cluster.statistics().supersteps();
    }

    @Override
    public long messages() {
        return cluster.statistics().messages();
    }

    @Override
    public List<RunRecord> takeRuns() {
        return runs.take();
    }

    @Override
    public String promise() {
        return cluster.promise();
    }

    @Override
    public void use(List<JarContents> jars) {
        session = cluster.session(runs, jars);
    }

    @Override
    public void cancel() {
        cluster.cancel();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
