package org.starling.compute.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;

/**
 * A cluster of processes on this machine, all on 127.0.0.1: starts, asks, kills and stops them. The
 * processes outlive whoever started them; what is known of them is in the cluster's folder, so
 * another process can find them with {@link #find}. One thread at a time, but for the supervisor's,
 * each of which starts another process.
 */
public final class LocalCluster {
    static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(12);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

    /** For a process that leaves when no job needs it any more. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofDays(1);

    /** Time between two looks whether a process has ended. */
    private static final Duration POLL = Duration.ofMillis(20);

    private static final String SUPERVISOR = "supervisor";

    private final ClusterPlan plan;
    private final ClusterFolder folder;
    private final ClusterRoster roster;

    /** What each node's Java gets of the one that started the cluster. */
    private final List<String> inherited;

    /** For the Java of each process that this one starts. */
    private final List<String> flags;

    /** Whether no process is to be launched any more. Guarded by this. */
    private boolean ending;

    private LocalCluster(ClusterPlan plan, List<String> inherited, List<String> flags) {
        this.plan = plan;
        this.inherited = List.copyOf(inherited);
        this.flags = List.copyOf(flags);
        this.folder = new ClusterFolder(plan.folder());
        this.roster = new ClusterRoster(plan, folder);
    }

    /**
     * Starts all processes and waits until each is a member. On a folder with the data of an
     * earlier cluster this is its cold start. If anything fails, nothing is left running.
     *
     * <p>If the plan wants a supervisor, a further process looks after them from then on.
     *
     * @throws InvalidInputException if the folder can't be used, or holds something else
     * @throws ClusterException if a port is taken, a cluster runs there already, or a process does
     *     not start
     */
    public static LocalCluster start(ClusterPlan plan) {
        return start(plan, List.of());
    }

    /**
     * As {@link #start(ClusterPlan)}, with more flags for the Java of each process that this object
     * starts; for fault points.
     *
     * @param flags like {@code -Dname=value}
     */
    public static LocalCluster start(ClusterPlan plan, List<String> flags) {
        LocalCluster cluster = new LocalCluster(plan, JavaCommand.inherited(), flags);
        cluster.folder.make();
        return cluster.locked(
                ClusterFolder.ALL,
                () -> {
                    new ClusterStart(cluster, cluster.folder, cluster.roster).run();
                    return cluster;
                });
    }

    /** The cluster that lives or has lived in a folder. */
    public static Optional<LocalCluster> find(Path folder) {
        return find(folder, JavaCommand.inherited());
    }

    /**
     * The same for the supervisor, whose own flags are for a process that does next to nothing.
     *
     * @param inherited flags that nodes get in their place
     */
    static Optional<LocalCluster> find(Path folder, List<String> inherited) {
        return new ClusterFolder(folder)
                .plan()
                .map(tree -> new LocalCluster(ClusterPlan.of(folder, tree), inherited, List.of()));
    }

    /** What it is. */
    public ClusterPlan plan() {
        return plan;
    }

    /** All its processes, superpeers first, as they are now. */
    public List<ClusterProcess> processes() {
        List<ClusterProcess> processes = new ArrayList<>();
        for (String name : roster.names()) {
            NodeSettings node = roster.settings(name);
            processes.add(
                    new ClusterProcess(
                            name,
                            node.superpeer(),
                            node.index(),
                            node.bind().getPort(),
                            folder.process(name).map(ProcessHandle::pid).orElse(0L)));
        }
        return processes;
    }

    /** Whether any of its processes runs. */
    public boolean isRunning() {
        return processes().stream().anyMatch(ClusterProcess::isRunning);
    }

    /** Where the superpeers listen to other nodes, for those who join from outside. */
    public List<InetSocketAddress> superpeers() {
        return roster.settings(roster.names().getFirst()).superpeers();
    }

    /** What those must know. */
    public ClusterSecret secret() {
        return folder.secret();
    }

    /** Base addresses of the REST interfaces, one for each superpeer. */
    public List<URI> urls() {
        return roster.names(true).stream().map(this::url).toList();
    }

    /**
     * A client of its REST interfaces, with its token. It talks to superpeers that run now: whoever
     * listens at the port of one that does not is to see no token.
     *
     * @throws ClusterException if none runs
     */
    public ClusterClient client() {
        return client(roster.names(true));
    }

    /**
     * The same for the one superpeer that somebody means by an address, if it is one of this
     * cluster: {@code localhost} is 127.0.0.1, and nobody else is to be asked.
     *
     * @throws ClusterException if it does not run
     */
    public Optional<ClusterClient> client(URI address) {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        boolean here =
                List.of(host, "localhost").contains(address.getHost().toLowerCase(Locale.ROOT));
        boolean root = List.of("", "/").contains(address.getRawPath());
        return roster.names(true).stream()
                .filter(name -> here && root && address.getScheme().equals(url(name).getScheme()))
                .filter(name -> address.getPort() == url(name).getPort())
                .findFirst()
                .map(name -> client(List.of(name)));
    }

    private ClusterClient client(List<String> superpeers) {
        List<URI> running =
                superpeers.stream()
                        .filter(name -> folder.process(name).isPresent())
                        .map(this::url)
                        .toList();
        if (running.isEmpty()) {
            throw new ClusterException(
                    "no superpeer of the cluster in %s runs; start one with \"starling cluster restart %s\""
                            .formatted(folder.path(), superpeers.getFirst()));
        }
        return new ClusterClient(running, token());
    }

    /** What its API endpoints ask for. */
    public AccessToken token() {
        return AccessToken.read(folder.tokenFile());
    }

    /** The process that looks after the others, if it runs. */
    public Optional<ProcessHandle> supervisor() {
        return folder.process(SUPERVISOR);
    }

    /** Processes that have ended though nobody stopped them, and have not been started again. */
    public List<Death> deaths() {
        List<Death> deaths = new ArrayList<>();
        for (String name : roster.names()) {
            folder.died(name)
                    .ifPresent(pid ->
                            deaths.add(
                                    new Death(
                                            name,
                                            pid,
                                            crashReport(name, pid).orElse(null),
                                            folder.log(name))));
        }
        return deaths;
    }

    /** What the supervisor has done since the start, of late; the oldest first. */
    public List<Restart> restarts() {
        return folder.restarts().read();
    }

    /** What the JVM of a process has written when it crashed, if it did. */
    Optional<Path> crashReport(String name, long pid) {
        return folder.crashReport(name, pid);
    }

    /** Where a process writes what it has to say. */
    public Path log(String name) {
        return folder.log(roster.settings(name).name());
    }

    /** The data directory of a process. */
    public Path data(String name) {
        return folder.data(roster.settings(name).name());
    }

    /**
     * Asks all processes to end, and ends by force those that do not; none is left, also of those
     * whose start is under way. The supervisor goes first, then the superpeers: the directory then
     * stands still, and takes no peer that ends for one that is lost.
     *
     * @throws ClusterException if a start does not end with its process
     */
    public void stop() {
        if (!folder.isUsed()) {
            return;
        }
        roster.names(false).forEach(folder::writeStopping);
        endAll();
        stopLocked(roster.names());
    }

    /** With the locks of all these processes nobody else starts one. */
    private void stopLocked(List<String> names) {
        if (names.isEmpty()) {
            endAll();
            roster.names().forEach(folder::removePid);
            return;
        }
        try (FileChannel _ = lockAndEnd(names.getFirst())) {
            stopLocked(names.subList(1, names.size()));
        } catch (IOException broken) {
            throw cannotUnlock(broken);
        }
    }

    /** Whoever starts a process gives its lock back when the process has ended. */
    private FileChannel lockAndEnd(String name) {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        Optional<FileChannel> lock = folder.tryLock(name);
        while (lock.isEmpty()) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                return folder.lock(name);
            }
            LockSupport.parkNanos(POLL.toNanos());
            endAll();
            lock = folder.tryLock(name);
        }
        return lock.get();
    }

    private void endAll() {
        endSupervisor();
        for (boolean superpeers : new boolean[] {true, false}) {
            List<ProcessHandle> handles = running(roster.names(superpeers));
            while (!handles.isEmpty()) {
                handles.forEach(ProcessHandle::destroy);
                if (!awaitEnd(handles, STOP_TIMEOUT)) {
                    kill();
                    return;
                }
                handles = running(roster.names(superpeers)); // one may have had a successor
            }
        }
    }

    /**
     * Stops one process, by force if it does not end in time; it stays down until it is {@link
     * #restart restarted}. A peer hands over to others what it has, and may take {@link
     * NodeTuning#leaveTimeout} longer for that.
     */
    public void stop(String name) {
        locked(
                name,
                () -> {
                    ProcessHandle handle = running(name);
                    handle.destroy();
                    if (!awaitEnd(
                            List.of(handle), STOP_TIMEOUT.plus(plan.tuning().leaveTimeout()))) {
                        killAndWait(name, handle);
                    }
                    folder.removePid(name);
                    return name;
                });
    }

    /**
     * Waits until a process that was asked to leave has ended.
     *
     * @return false if it has not within a day, or the thread was interrupted
     */
    public boolean awaitEnd(String name) {
        return folder.process(name)
                .map(process -> awaitEnd(List.of(process), LEAVE_TIMEOUT))
                .orElse(true);
    }

    /** Ends all processes at once, as a loss of power would (but for the machine's own memory). */
    public void kill() {
        endSupervisor();
        List<ProcessHandle> handles = running(roster.names());
        handles.forEach(ProcessHandle::destroyForcibly);
        if (!awaitEnd(handles, KILL_TIMEOUT)) {
            throw new ClusterException(
                    "processes %s do not end"
                            .formatted(handles.stream().map(ProcessHandle::pid).toList()));
        }
        roster.names().forEach(folder::removePid);
    }

    /** Kills one process ({@code kill -9}) and waits until it is gone. */
    public void kill(String name) {
        killAndWait(name, running(name));
        folder.removePid(name);
    }

    private static void killAndWait(String name, ProcessHandle handle) {
        handle.destroyForcibly();
        if (!awaitEnd(List.of(handle), KILL_TIMEOUT)) {
            throw new ClusterException(name + " does not end");
        }
    }

    /** Stops a process where it stands ({@code kill -STOP}). */
    public void pause(String name) {
        signal("-STOP", running(name));
    }

    /** Lets a paused process go on ({@code kill -CONT}). */
    public void resume(String name) {
        signal("-CONT", running(name));
    }

    /**
     * Starts one process that is not running, on the data directory that it had; and the supervisor
     * if it should run and does not. A superpeer of a cluster that has no majority of them can't
     * start alone: with it come the others that do not run.
     *
     * @return what was started
     * @throws ClusterException if it runs already or does not start, or the cluster was stopped
     */
    public List<String> restart(String name) {
        checkStopped(name);
        Map<String, CompletableFuture<Void>> starts = new LinkedHashMap<>();
        starts.put(name, starting(() -> startOf(name, false)));
        missingForAMajority(name)
                .forEach(other -> starts.put(other, starting(() -> startOf(other, true))));
        List<String> started = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        starts.forEach((each, start) -> {
            try {
                start.join();
                started.add(each);
            } catch (CompletionException failed) {
                failures.add(failed.getCause() instanceof RuntimeException cause ? cause : failed);
            }
        });
        boolean isUp = folder.process(name).isPresent();
        if (isUp && plan.supervised() && supervisor().isEmpty()) {
            startSupervisor();
        }
        if (!started.contains(name)) {
            throw failures.getFirst();
        }
        return started; // others may be gone for good
    }

    private static CompletableFuture<Void> starting(Runnable start) {
        return CompletableFuture.runAsync(start, Thread.ofVirtual()::start);
    }

    private void startOf(String name, boolean mayRun) {
        locked(
                name,
                () -> {
                    boolean isRunning = folder.process(name).isPresent();
                    if (!mayRun) {
                        checkStopped(name);
                    }
                    if (roster.names().stream().noneMatch(other -> isMeantToRun(name, other))) {
                        throw new ClusterException(
                                "the cluster was stopped, so %s is not started alone; start all of it"
                                        .formatted(name));
                    }
                    if (!isRunning) {
                        launchAndWait(name);
                    }
                    return name;
                });
    }

    private void checkStopped(String name) {
        if (folder.process(name).isPresent()) {
            throw new ClusterException(name + " is running");
        }
    }

    /** Other superpeers that do not run, if this one and those that do are no majority. */
    private List<String> missingForAMajority(String name) {
        List<String> superpeers = roster.names(true);
        List<String> running =
                superpeers.stream().filter(each -> folder.process(each).isPresent()).toList();
        return superpeers.contains(name) && 2 * (running.size() + 1) <= superpeers.size()
                ? superpeers.stream()
                        .filter(each -> !each.equals(name) && !running.contains(each))
                        .toList()
                : List.of();
    }

    /**
     * The node that a process is, or was last; it may be a peer that was removed.
     *
     * @return its id; nothing if it has never been one
     */
    public OptionalInt nodeOf(String name) {
        return folder.node(wasRemoved(name) ? name : roster.settings(name).name());
    }

    /** Whether a peer of that name was {@link #remove removed}. */
    public boolean wasRemoved(String name) {
        return plan.removed().stream().map(ClusterRoster::peerName).anyMatch(name::equals);
    }

    /**
     * Takes a peer that does not run out of the plan: neither the supervisor nor a later start
     * brings it back. What may be in its data folder stays there.
     *
     * @param before what is done first, while nobody can start the process; if it throws, the peer
     *     stays
     * @return what that gives
     * @throws ClusterException if the process runs
     * @throws InvalidInputException if it is the last peer
     */
    public <T> T remove(String name, Supplier<T> before) {
        int peer = roster.settings(name).index();
        return locked(
                ClusterFolder.ALL,
                () -> {
                    ClusterPlan now = find(plan.folder()).map(LocalCluster::plan).orElse(plan);
                    List<Integer> removed = new ArrayList<>(now.removed());
                    removed.add(peer);
                    ClusterPlan without = now.withRemoved(removed);
                    return locked(name, () -> removed(name, without, before));
                });
    }

    private <T> T removed(String name, ClusterPlan without, Supplier<T> before) {
        if (folder.process(name).isPresent()) {
            throw new ClusterException(name + " is running; drain it first");
        }
        T result = before.get();
        folder.writePlan(without.tree());
        folder.removePid(name);
        return result;
    }

    /** Whether another process runs, or has died: what was stopped has no note any more. */
    private boolean isMeantToRun(String name, String other) {
        return !other.equals(name)
                && (folder.process(other).isPresent() || folder.died(other).isPresent());
    }

    /**
     * Starts one process again that has died; for the supervisor.
     *
     * @return false if it runs or was stopped
     */
    boolean revive(String name) {
        return locked(
                name,
                () -> {
                    if (folder.died(name).isEmpty()) {
                        return false;
                    }
                    launchAndWait(name);
                    return true;
                });
    }

    /** What is being launched will have been noted when this returns; nothing more is launched. */
    synchronized void launchNoMore() {
        ending = true;
    }

    private void launchAndWait(String name) {
        NodeChild child = launch(roster.settings(name));
        try {
            child.awaitReady(START_TIMEOUT);
        } catch (RuntimeException failed) {
            killAndWait(name, child.handle());
            throw failed;
        }
    }

    private <T> T locked(String name, Supplier<T> action) {
        try (FileChannel _ = folder.lock(name)) {
            return action.get();
        } catch (IOException broken) {
            throw cannotUnlock(broken);
        }
    }

    private InvalidInputException cannotUnlock(IOException broken) {
        return FileTrouble.refusal(folder.path(), "unlocked", broken);
    }

    synchronized NodeChild launch(NodeSettings settings) {
        if (ending) {
            throw new ClusterException("the cluster is being stopped");
        }
        NodeChild child =
                NodeChild.start(
                        settings, folder.secret(), folder.log(settings.name()), inherited, flags);
        folder.writePid(settings.name(), child.handle());
        return child;
    }

    void startSupervisor() {
        folder.writePid(
                SUPERVISOR, Supervisor.start(folder.path(), folder.log(SUPERVISOR), inherited));
    }

    void endSupervisor() {
        folder.process(SUPERVISOR)
                .ifPresent(handle -> {
                    handle.destroy();
                    if (!awaitEnd(List.of(handle), STOP_TIMEOUT)) {
                        killAndWait(SUPERVISOR, handle);
                    }
                });
        folder.removePid(SUPERVISOR);
    }

    private URI url(String superpeer) {
        return plan.url(roster.settings(superpeer).index());
    }

    private List<ProcessHandle> running(List<String> names) {
        return names.stream().map(folder::process).flatMap(Optional::stream).toList();
    }

    private ProcessHandle running(String name) {
        return folder.process(roster.settings(name).name())
                .orElseThrow(() -> new ClusterException(name + " is not running"));
    }

    private static void signal(String signal, ProcessHandle handle) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(handle.pid())).start();
            if (!kill.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    || kill.exitValue() != 0) {
                throw new ClusterException("process " + handle.pid() + " could not be signalled");
            }
        } catch (IOException broken) {
            throw new ClusterException(
                    "there is no command kill: " + FileTrouble.reason(broken), broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("signalling was interrupted", interrupted);
        }
    }

    /** Waits until all have ended; false if some have not. */
    private static boolean awaitEnd(List<ProcessHandle> handles, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (handles.stream().anyMatch(ClusterFolder::isAlive)) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }
}
