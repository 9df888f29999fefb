package org.starling.cli;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.InProcessCluster;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobRequest;

/**
 * Does once, in one process, what the processes of a cluster do: runs a script by itself and on a
 * little cluster with three superpeers. The launcher lets a JVM watch it that writes down the
 * classes for the start of later ones, which then costs half the time or less.
 */
public final class Rehearsal {
    private static final int PEERS = 2;
    private static final int FIRST_PORT = 20_000;
    private static final int END_PORT = 32_000;
    private static final Duration POLL = Duration.ofMillis(50);

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
            long id = client.submit(request, new SecureRandom().nextLong());
            JobView end = new JobWatch(client, terminal, POLL).awaitEnd(id);
            client.status();
            return end.status() == JobView.Status.SUCCEEDED ? ExitCode.DONE : ExitCode.JOB_FAILED;
        }
    }

    /** The first of some ports that are likely to be free: below those that systems hand out. */
    private static int somePort() {
        int blocks = (END_PORT - FIRST_PORT) / ClusterPlan.PORTS;
        return FIRST_PORT + ClusterPlan.PORTS * ThreadLocalRandom.current().nextInt(blocks);
    }
}
