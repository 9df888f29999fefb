package org.starling.compute.cluster;

import java.nio.file.Path;

/**
 * The process that {@code cluster start} leaves behind to look after the others. Its argument is
 * the cluster's folder. It ends cleanly on SIGTERM, and when the folder is gone; the nodes go on
 * without it.
 */
public final class SupervisorMain {
    private SupervisorMain() {}

    /** Looks after a cluster. */
    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        LocalCluster cluster =
                LocalCluster.find(folder)
                        .orElseThrow(() -> new ClusterException("no cluster lives in " + folder));
        Supervisor supervisor = new Supervisor(cluster, new ClusterFolder(folder));
        Runtime.getRuntime().addShutdownHook(new Thread(supervisor::stop, "stop"));
        supervisor.run();
    }
}
