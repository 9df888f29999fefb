package org.starling.compute.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.graph.InvalidInputException;

/**
 * The process that {@code cluster start} leaves behind to look after the others. Starts processes
 * of a cluster again that have died, each at most as often as a {@link RestartBudget} allows, and
 * notes what it did. Those that were stopped on purpose have no file with their process id, and
 * stay down. One thread for each process; it ends when it is told to, when another supervisor has
 * been noted in the place of this one, or when the cluster's folder is gone.
 */
public final class Supervisor {
    private static final Logger LOG = LogManager.getLogger(Supervisor.class);

    /** Time between two looks. */
    private static final Duration POLL = Duration.ofMillis(500);

    /** It does next to nothing, so a small process counts for more than a fast start. */
    private static final List<String> FLAGS =
            List.of("-Xmx32m", "-XX:TieredStopAtLevel=1", "-XX:AOTMode=off");

    private final LocalCluster cluster;
    private final ClusterFolder folder;
    private final RestartNotes notes;

    /** The process that this one runs in. */
    private final ProcessHandle self = ProcessHandle.current();

    private final CountDownLatch stopped = new CountDownLatch(1);

    private Supervisor(LocalCluster cluster, ClusterFolder folder) {
        this.cluster = cluster;
        this.folder = folder;
        this.notes = folder.restarts();
    }

    /** Looks after a cluster: its folder, and flags of Java for the nodes that are started. */
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

    /**
     * Starts the process.
     *
     * @param folder of the cluster
     * @param log where it says what it does
     * @param inherited flags of Java for the nodes
     */
    static ProcessHandle start(Path folder, Path log, List<String> inherited) {
        List<String> flags = new ArrayList<>(NodeChild.logging(log, inherited));
        flags.addAll(NodeChild.SHARED_ARCHIVE);
        flags.addAll(FLAGS);
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(inherited);
        List<String> command = JavaCommand.of(Supervisor.class, inherited, flags, arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .toHandle();
        } catch (IOException broken) {
            throw new ClusterException(
                    "the supervisor can't be started: " + broken.getMessage(), broken);
        }
    }

    /** Watches until the end. */
    void run() throws InterruptedException {
        for (ClusterProcess process : cluster.processes()) {
            Thread.ofVirtual().name(process.name()).start(() -> watch(process.name()));
        }
        while (folder.isThere() && !isSucceeded() && !isStoppedWithin(POLL)) {
            // each process has its own thread
        }
        stop();
    }

    /** Two commands may have started one each: the last one that was noted stays. */
    private boolean isSucceeded() {
        try {
            return cluster.supervisor().filter(noted -> !noted.equals(self)).isPresent();
        } catch (InvalidInputException unreadable) {
            LOG.warn("other supervisors can't be looked for: {}", unreadable.getMessage());
            return false;
        }
    }

    /** No process is started any more when this has returned. */
    void stop() {
        stopped.countDown();
        cluster.launchNoMore();
    }

    private void watch(String name) {
        RestartBudget budget = new RestartBudget();
        long givenUp = 0;
        try {
            while (!isStoppedWithin(POLL)) {
                OptionalLong died = died(name);
                if (died.isEmpty() || died.getAsLong() == givenUp) {
                    continue;
                }
                if (givenUp != 0) {
                    budget.reset(); // it has lived since
                    givenUp = 0;
                }
                long pid = died.getAsLong();
                Optional<Duration> pause = budget.take(System.nanoTime());
                if (pause.isEmpty()) {
                    givenUp = pid;
                    note(name, pid, tooOften(name));
                } else if (!isStoppedWithin(pause.get())) {
                    note(name, pid, restart(name));
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error broken) {
            LOG.error("{} is watched no more", name, broken);
        }
    }

    /** Files that can't be read now may be at the next look. */
    private OptionalLong died(String name) {
        try {
            return folder.diedOfItself(name);
        } catch (InvalidInputException unreadable) {
            LOG.warn("{} can't be looked at: {}", name, unreadable.getMessage());
            return OptionalLong.empty();
        }
    }

    private String restart(String name) {
        try {
            return cluster.revive(name)
                    ? "started again"
                    : "somebody else has started or stopped it";
        } catch (RuntimeException failed) {
            return "could not be started again: " + failed.getMessage();
        }
    }

    private void note(String name, long pid, String outcome) {
        Restart restart =
                new Restart(
                        name,
                        InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                        pid,
                        cluster.crashReport(name, pid).map(Object::toString).orElse(""),
                        outcome);
        LOG.warn("{} (process {}) had died: {} {}", name, pid, outcome, restart.report());
        try {
            notes.add(restart);
        } catch (InvalidInputException full) {
            LOG.warn("that can't be noted: {}", full.getMessage()); // a full disk, for example
        }
    }

    private static String tooOften(String name) {
        return "died %d times within %d minutes and stays down; mend the cause, then: cluster restart %s"
                .formatted(RestartBudget.MAX_RESTARTS + 1, RestartBudget.WINDOW.toMinutes(), name);
    }

    private boolean isStoppedWithin(Duration time) throws InterruptedException {
        return stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
