package org.starling.compute.cluster;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;

/**
 * A process that is one node of a cluster: a superpeer with its API endpoints, or a peer that
 * stores, computes and leads jobs when it is elected; a {@link RunningNode}, and a fresh one
 * whenever the cluster has declared it lost.
 *
 * <p>As a child of another process it says {@code ready} and its node id on standard output when it
 * is a member, and nothing more. It ends cleanly on SIGTERM; if it was started by an embedded run,
 * when its standard input ends. In the foreground ({@link #live}) its caller says what there is to
 * say, and asks it to {@link #stop}.
 */
public final class NodeProcess {
    private static final Logger LOG = LogManager.getLogger(NodeProcess.class);

    /** To end in order, behind the time for handing over ({@link NodeTuning#leaveTimeout}). */
    static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    /** For a peer that was asked to leave: nobody waits for it at a bound. */
    static final Duration DRAIN_PATIENCE = Duration.ofMinutes(5);

    /**
     * A file of this name in its data folder tells a node that its whole cluster is being stopped,
     * so that it hands nothing over. The next start removes it.
     */
    public static final String STOPPING_FILE = "stopping";

    /** Time between two tries to join again. */
    private static final Duration REJOIN_PAUSE = Duration.ofSeconds(1);

    /** Tries to join, each with the time-out of joining, before a fresh process gives up. */
    private static final int MAX_FIRST_JOINS = 2;

    /**
     * The same in the foreground, where nobody knows yet when the others come: five minutes of time
     * for joining.
     */
    private static final int MAX_FOREGROUND_JOINS = 15;

    /** How long a process that has been a member tries to be one again: its disk may be full. */
    private static final Duration REJOIN_PATIENCE = Duration.ofMinutes(30);

    /** For the answer that says why a process makes way; it is on its way by then. */
    private static final Duration ANSWER_PAUSE = Duration.ofMillis(200);

    private static final int DONE = 0;
    private static final int INTERNAL_ERROR = 1;
    private static final int BAD_INPUT = 3;
    private static final int NO_CLUSTER = 4;
    private static final int REPLACED = 5;

    private static final long PAUSE_STEP_NANOS = 10_000_000;

    /** Why a node has ended. */
    private enum End {
        STOPPED,
        DRAINED,
        EXPELLED,
        STUCK
    }

    private final NodeSettings settings;
    private final ClusterSecret secret;

    /** Completed when somebody wants the process to end. */
    private final CompletableFuture<End> stop = new CompletableFuture<>();

    private final CountDownLatch finished = new CountDownLatch(1);

    /** A node of a cluster whose nodes know that secret. */
    public NodeProcess(NodeSettings settings, ClusterSecret secret) {
        this.settings = settings;
        this.secret = secret;
    }

    /** Runs a node: its argument is a {@link NodeSettings}, its environment holds the secret. */
    public static void main(String[] arguments) {
        String secret =
                Objects.requireNonNull(
                        System.getenv(NodeChild.SECRET_VARIABLE), NodeChild.SECRET_VARIABLE);
        NodeSettings settings = NodeSettings.of(arguments[0]);
        Runtime.getRuntime().halt(new NodeProcess(settings, ClusterSecret.of(secret)).run());
    }

    /** Runs until somebody wants the process to end; gives its exit code. */
    private int run() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopFromOutside, "stop"));
        if (settings.keeper() == NodeSettings.Keeper.PARENT) {
            Thread.ofPlatform().daemon().name("parent").start(this::awaitParentsEnd);
        }
        try {
            live(node -> say(NodeChild.READY + node));
            return DONE;
        } catch (InvalidInputException refused) {
            return fail(NodeChild.INPUT, refused, BAD_INPUT);
        } catch (ClusterException down) {
            return fail(NodeChild.CLUSTER, down, NO_CLUSTER);
        } catch (RuntimeException | Error bug) {
            LOG.error("{} failed", settings.name(), bug);
            return fail(NodeChild.CLUSTER, bug, INTERNAL_ERROR);
        } finally {
            finished.countDown();
        }
    }

    /**
     * Is the node until somebody {@link #stop stops} it. A process whose work can't be stopped is
     * ended for good: whoever keeps it starts it anew.
     *
     * @param onMember is told the node's id when it has become a member for the first time
     * @throws InvalidInputException if it refuses what it was given
     * @throws ClusterException if the cluster does not let it in, or not again
     */
    public void live(IntConsumer onMember) {
        begin();
        boolean member = false;
        int failedJoins = 0;
        long memberNanos = 0;
        while (!stop.isDone()) {
            CompletableFuture<String> stuck = new CompletableFuture<>();
            try (RunningNode node = RunningNode.start(settings, secret)) {
                stuck = node.stuck();
                if (!member) {
                    onMember.accept(node.nodeId());
                }
                LOG.info("{} is node {}", settings.name(), node.nodeId());
                note(node.nodeId());
                member = true;
                End end = awaitEnd(node);
                memberNanos = System.nanoTime();
                switch (end) {
                    case STOPPED -> handOver(node);
                    case DRAINED -> {
                        node.handOver(DRAIN_PATIENCE);
                        leave(node.nodeId());
                    }
                    case EXPELLED ->
                            LOG.warn(
                                    "node {} is no member any more; {} joins again",
                                    node.nodeId(),
                                    settings.name());
                    case STUCK -> replace(stuck.join());
                }
            } catch (ClusterException down) {
                boolean isOver =
                        member
                                ? System.nanoTime() - memberNanos > REJOIN_PATIENCE.toNanos()
                                : ++failedJoins >= firstJoins();
                if (isOver || stop.isDone()) {
                    throw down;
                }
                LOG.warn("{} could not join: {}", settings.name(), down.getMessage());
                pause(REJOIN_PAUSE);
            }
            if (stuck.isDone() && !stop.isDone()) {
                replace(stuck.join()); // threads of a node that was declared lost
            }
        }
    }

    /** Before it ends, unless the whole cluster ends with it. */
    private void handOver(RunningNode node) {
        Duration patience = settings.tuning().leaveTimeout();
        Path data = settings.data();
        if (data == null || settings.keeper() == NodeSettings.Keeper.PARENT || patience.isZero()) {
            return;
        }
        if (Files.exists(data.resolve(STOPPING_FILE))) {
            LOG.info("node {} hands nothing over: its cluster is being stopped", node.nodeId());
            return;
        }
        node.handOver(patience);
    }

    /** What an earlier stop of the whole cluster has left. */
    private void begin() {
        Path data = settings.data();
        if (data == null) {
            return;
        }
        try {
            Files.deleteIfExists(data.resolve(STOPPING_FILE));
        } catch (IOException kept) {
            LOG.warn("{} will hand nothing over: {}", settings.name(), kept.getMessage());
        }
    }

    /** In the folder of a cluster: so it is known which node this was when its disk is gone. */
    private void note(int node) {
        Path data = settings.data();
        if (data == null || settings.keeper() != NodeSettings.Keeper.FOLDER) {
            return;
        }
        try {
            ClusterFolder.ofData(data).writeNode(settings.name(), node);
        } catch (InvalidInputException full) {
            LOG.warn(
                    "that {} is node {} can't be noted: {}",
                    settings.name(),
                    node,
                    full.getMessage());
        }
    }

    /** Asks the node to end; does not wait. */
    public void stop() {
        stop.complete(End.STOPPED);
    }

    private int firstJoins() {
        return settings.keeper() == NodeSettings.Keeper.OUTSIDE
                ? MAX_FOREGROUND_JOINS
                : MAX_FIRST_JOINS;
    }

    private End awaitEnd(RunningNode node) {
        CompletableFuture<End> expelled = new CompletableFuture<>();
        node.onExpelled(() -> expelled.complete(End.EXPELLED));
        CompletableFuture<End> stuck = node.stuck().thenApply(_ -> End.STUCK);
        CompletableFuture<End> drained = node.drained().thenApply(_ -> End.DRAINED);
        return (End) CompletableFuture.anyOf(stop, expelled, stuck, drained).join();
    }

    /** The node has nothing to do and is to leave: nobody starts a process in its place. */
    private void leave(int node) {
        LOG.info("node {} leaves, as it was asked to", node);
        Path data = settings.data();
        if (data != null && settings.keeper() == NodeSettings.Keeper.FOLDER) {
            ClusterFolder folder = ClusterFolder.ofData(data);
            try (FileChannel _ = folder.lock(settings.name())) {
                folder.removePid(settings.name());
            } catch (ClusterException | InvalidInputException | IOException failed) {
                LOG.warn("{} may be started again: {}", settings.name(), failed.getMessage());
            }
        }
        stop.complete(End.DRAINED);
    }

    /**
     * Ends this process, whose threads can't be ended, behind a new one of the same name, on the
     * same data directory; without one if somebody stops it meanwhile, or keeps it from outside.
     */
    private void replace(String why) {
        LOG.warn("{} makes way for a new process: {}", settings.name(), why);
        pause(ANSWER_PAUSE);
        if (settings.keeper() == NodeSettings.Keeper.OUTSIDE) {
            Runtime.getRuntime().halt(REPLACED);
        }
        ClusterFolder folder = ClusterFolder.ofData(Objects.requireNonNull(settings.data()));
        try (FileChannel _ = folder.lock(settings.name())) {
            if (!stop.isDone()) {
                NodeChild successor =
                        NodeChild.start(settings, secret, folder.log(settings.name()));
                folder.writePid(settings.name(), successor.handle());
            }
            Runtime.getRuntime().halt(REPLACED); // before the lock is given back
        } catch (ClusterException | InvalidInputException | IOException failed) {
            LOG.error("no process takes the place of {}", settings.name(), failed);
        }
        Runtime.getRuntime().halt(REPLACED);
    }

    private void pause(Duration time) {
        if (!pause(stop, time)) {
            stop.complete(End.STOPPED);
        }
    }

    /**
     * Waits for some time, or until it is to end. By this thread alone: that of the time-outs of a
     * process may have died of the want of memory for which the process is replaced.
     *
     * @return false if the thread was interrupted
     */
    static boolean pause(CompletableFuture<?> stop, Duration time) {
        long start = System.nanoTime();
        while (!stop.isDone() && System.nanoTime() - start < time.toNanos()) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(stop, PAUSE_STEP_NANOS);
        }
        return true;
    }

    private static int fail(String kind, Throwable cause, int code) {
        String message = cause.getMessage();
        String sentence = message == null ? cause.toString() : message;
        say(NodeChild.FAILED + kind + " " + sentence.replace('\n', ' '));
        return code;
    }

    /** Whoever started the process may be gone: then nobody needs to hear it. */
    private static void say(String line) {
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException nobodyListens) {
            LOG.info("nobody heard: {}", line);
        }
    }

    private void stopFromOutside() {
        stop();
        try {
            Duration patience = STOP_TIMEOUT.plus(settings.tuning().leaveTimeout());
            if (!finished.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} did not stop within {}", settings.name(), patience);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitParentsEnd() {
        try (InputStreamReader in = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
            while (in.read() >= 0) {
                // nothing is said on this line but that the parent lives
            }
        } catch (IOException broken) {
            LOG.info("the parent can't be heard: {}", broken.getMessage());
        }
        stop();
    }
}
