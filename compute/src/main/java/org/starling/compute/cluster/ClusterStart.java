package org.starling.compute.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.starling.graph.InvalidInputException;

/**
 * The start of a {@link LocalCluster}: what must hold before it, and all its processes at once.
 * Used once, by whoever holds the cluster's lock.
 */
final class ClusterStart {
    private final LocalCluster cluster;
    private final ClusterFolder folder;
    private final ClusterRoster roster;

    ClusterStart(LocalCluster cluster, ClusterFolder folder, ClusterRoster roster) {
        this.cluster = cluster;
        this.folder = folder;
        this.roster = roster;
    }

    /** Starts all; if anything fails, nothing is left running. */
    void run() {
        requireSamePlan();
        requireStopped();
        cluster.endSupervisor();
        requireFreePorts();
        folder.writePlan(cluster.plan().tree());
        folder.makeToken();
        makeKeys();
        startAll();
    }

    private void requireSamePlan() {
        Optional<Map<?, ?>> earlier = folder.plan();
        if (earlier.isEmpty()) {
            return;
        }
        ClusterPlan before = ClusterPlan.of(folder.path(), earlier.get());
        if (before.superpeers() != cluster.plan().superpeers()) {
            throw new InvalidInputException(
                    "%s holds a cluster of %d superpeers, which can't be started with %d; take the same number or another folder"
                            .formatted(
                                    folder.path(),
                                    before.superpeers(),
                                    cluster.plan().superpeers()));
        }
    }

    private void requireStopped() {
        List<ClusterProcess> running =
                cluster.processes().stream().filter(ClusterProcess::isRunning).toList();
        List<ClusterProcess> others =
                LocalCluster.find(folder.path())
                        .map(LocalCluster::processes)
                        .orElse(List.of())
                        .stream()
                        .filter(ClusterProcess::isRunning)
                        .toList();
        int count = Math.max(running.size(), others.size());
        if (count > 0) {
            throw new ClusterException(
                    "a cluster is running in %s already (%d processes); stop it first"
                            .formatted(folder.path(), count));
        }
    }

    private void requireFreePorts() {
        for (Map.Entry<Integer, String> port : roster.ports().entrySet()) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getKey()));
            } catch (IOException taken) {
                throw new ClusterException(
                        "port %d, meant for %s, can't be listened on (%s); set basePort or restPort in the configuration"
                                .formatted(port.getKey(), port.getValue(), taken.getMessage()),
                        taken);
            }
        }
    }

    /** Keys of an earlier start are good for nothing any more. */
    private void makeKeys() {
        folder.keys().remove();
        if (cluster.plan().tuning().tls() == NodeTls.Word.GENERATED) {
            folder.keys().make(roster.names(true), roster.names(false));
        }
    }

    private void startAll() {
        List<NodeChild> children = new ArrayList<>();
        try {
            for (String name : roster.names()) {
                children.add(cluster.launch(roster.settings(name)));
            }
            long deadline = System.nanoTime() + LocalCluster.START_TIMEOUT.toNanos();
            for (NodeChild child : children) {
                long left = Math.max(1, deadline - System.nanoTime());
                child.awaitReady(Duration.ofNanos(left));
            }
            folder.restarts().clear();
            if (cluster.plan().supervised()) {
                cluster.startSupervisor();
            }
        } catch (RuntimeException | Error failed) {
            cluster.kill();
            throw failed;
        }
    }
}
