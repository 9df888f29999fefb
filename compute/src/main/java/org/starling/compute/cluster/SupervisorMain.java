package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * The process that {@code cluster start} leaves behind to look after the others. Its arguments are
 * the cluster's folder and the flags of Java that the nodes get which it starts. It ends cleanly on
 * SIGTERM, and when the folder is gone; the nodes go on without it.
 */
public final class SupervisorMain {
    private SupervisorMain() {}

    /** Looks after a cluster. */
    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        List<String> inherited = List.of(arguments).subList(1, arguments.length);
        LocalCluster cluster =
                LocalCluster.find(folder, inherited)
                        .orElseThrow(() -> new ClusterException("no cluster lives in " + folder));
        Supervisor supervisor = new Supervisor(cluster, new ClusterFolder(folder));
        Runtime.getRuntime().addShutdownHook(new Thread(supervisor::stop, "stop"));
        supervisor.run();
    }
}
