package org.starling.benchmarks.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.starling.benchmarks.harness.TempFolder;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.LocalCluster;

/**
 * A cluster of processes that lives as long as one bench, on ports that are free. Owned by the
 * bench's thread; closing kills what is left and removes the folder.
 */
public final class BenchCluster implements AutoCloseable {
    private static final int FIRST_PORT = 20_000;
    private static final int PORT_STEP = 2 * ClusterPlan.PORTS;
    private static final int MAX_TRIES = 60; // below the ports that systems hand out

    private final LocalCluster cluster;

    private BenchCluster(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Starts all processes.
     *
     * @param plan its ports do not matter
     * @param flags for the Java of each process
     */
    public static BenchCluster start(ClusterPlan plan, List<String> flags) {
        int base = freePorts(plan);
        ClusterPlan placed = plan.withPorts(base, base + ClusterPlan.PORTS);
        try {
            return new BenchCluster(LocalCluster.start(placed, flags));
        } catch (RuntimeException | Error failed) {
            new TempFolder(plan.folder()).close();
            throw failed;
        }
    }

    public LocalCluster processes() {
        return cluster;
    }

    /** The process that listens on a port, as it is now. */
    ClusterProcess at(int port) {
        return cluster.processes().stream()
                .filter(process -> process.port() == port)
                .findFirst()
                .orElseThrow(() -> new ClusterException("no process listens on port " + port));
    }

    /** Kills a process; {@link System#nanoTime} just before. */
    long kill(String name) {
        long before = System.nanoTime();
        cluster.kill(name);
        return before;
    }

    @Override
    public void close() {
        try (TempFolder _ = new TempFolder(cluster.plan().folder())) {
            cluster.kill();
        }
    }

    private static int freePorts(ClusterPlan plan) {
        long first = ProcessHandle.current().pid(); // benches that start together look elsewhere
        for (int i = 0; i < MAX_TRIES; i++) {
            int base = FIRST_PORT + (int) ((first + i) % MAX_TRIES) * PORT_STEP;
            if (areFree(base, ClusterPlan.PORTS)
                    && areFree(base + ClusterPlan.PORTS, plan.superpeers())) {
                return base;
            }
        }
        throw new ClusterException("no %d free ports in a row".formatted(ClusterPlan.PORTS));
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }
}
