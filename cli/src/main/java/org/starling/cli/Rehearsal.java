package org.starling.cli;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.InProcessCluster;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobRequest;

/**
 * Does once, in one process, what the processes of a cluster do: runs a script by itself and on a
 * little cluster with three superpeers, and hands what is stored over from one peer to the others,
 * which is most of what a recovery does, too. The launcher lets a JVM watch it that writes down the
 * classes for the start of later ones, which then costs half the time or less.
 */
public final class Rehearsal {
    private static final int PEERS = 4;
    private static final int FIRST_PORT = 20_000;
    private static final int END_PORT = 32_000;
    private static final Duration POLL = Duration.ofMillis(50);

    /** The launcher waits for this. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String KEEPS =
            """
            {"tasks": [{"task": "graph.generate", "graph": "kept", "generator": "kronecker",
                        "scale": 10, "keep": true}]}
            """;

    private Rehearsal() {}

    /**
     * Runs a script twice; ends the process with an exit code.
     *
     * @param arguments the script's file, and a folder for the cluster's data
     */
    public static void main(String[] arguments) {
        Terminal terminal = Terminal.ofProcess();
        Path script = terminal.file(arguments[0]);
        ExitCode code =
                Commands.all()
                        .run(new String[] {"run", script.toString()}, terminal, new Interruption());
        if (code == ExitCode.DONE) {
            code = runOnCluster(script, terminal.file(arguments[1]), terminal);
        }
        System.exit(code.number());
    }

    private static ExitCode runOnCluster(Path script, Path folder, Terminal terminal) {
        JobRequest request = JobRequest.read(script, Map.of());
        int ports = somePort();
        ClusterPlan plan =
                ClusterPlan.of(folder, 3, PEERS)
                        .withPorts(ports, ports + ClusterPlan.PORTS / 2)
                        .withRoots(List.of(request.folder()));
        try (InProcessCluster cluster = InProcessCluster.start(plan);
                ClusterClient client = cluster.client()) {
            JobRequest keeps = new JobRequest("kept", KEEPS, Map.of(), false, request.folder());
            boolean isDone =
                    succeeds(request, client, terminal)
                            && succeeds(keeps, client, terminal)
                            && handsOver(client);
            return isDone ? ExitCode.DONE : ExitCode.JOB_FAILED;
        }
    }

    private static boolean succeeds(JobRequest request, ClusterClient client, Terminal terminal) {
        long id = client.submit(request, new SecureRandom().nextLong());
        JobView end = new JobWatch(client, terminal, POLL).awaitEnd(id);
        return end.status() == JobView.Status.SUCCEEDED;
    }

    /** Whether a peer that is to leave does, and all that it has stored is with the others. */
    private static boolean handsOver(ClusterClient client) {
        int leaves =
                client.status().nodes().stream()
                        .filter(node -> node.role().equals("peer"))
                        .mapToInt(ClusterView.Node::node)
                        .max()
                        .orElseThrow();
        client.drain(leaves);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            client.graphs(); // reads chunks that are on their way
            ClusterView now = client.status();
            if (now.nodes().stream().noneMatch(node -> node.node() == leaves)) {
                return now.orphaned() == 0 && now.lost() == 0;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return false;
    }

    /** The first of some ports that are likely to be free: below those that systems hand out. */
    private static int somePort() {
        int blocks = (END_PORT - FIRST_PORT) / ClusterPlan.PORTS;
        return FIRST_PORT + ClusterPlan.PORTS * ThreadLocalRandom.current().nextInt(blocks);
    }
}
