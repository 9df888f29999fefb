package org.starling.store.internal.directory.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.store.IndeterminateException;
import org.starling.store.NodeOptions;
import org.starling.store.StartRefusedException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.DataFolder;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.raft.RaftMessage.Reply;
import org.starling.store.internal.directory.raft.RaftMessage.Step;
import org.starling.store.internal.directory.raft.RaftMessage.Submit;

/**
 * The directory of a cluster that keeps it on disk: one of its replicas, under Raft by Apache
 * Ratis; a single superpeer is a group of one. A command is answered when a majority has it on
 * disk, and a majority of superpeers is enough for everything. The replicas talk over the network
 * of their nodes ({@link RaftRpc}). The leader takes commands itself, other replicas send them to
 * it; either way a command may take effect although its answer was lost, and may be applied twice,
 * which the guards of the commands make harmless.
 *
 * <p>Ratis runs its own threads. Answers come on them, so what depends on a future of {@link
 * #apply} must not wait. After a restart {@link #onApplied} may tell again what was applied before
 * it.
 */
public final class RaftDirectory implements DirectoryReplica {
    private static final Logger LOG = LogManager.getLogger(RaftDirectory.class);

    private static final String STORAGE = "raft";
    private static final String MEMBERS = "superpeers";
    private static final String OTHERS = "others";

    /** What is written of a replica that has taken part; how many founded it, if it did. */
    private static final Pattern MEMBER =
            Pattern.compile("superpeer (\\d+)(?: of (\\d+))? of cluster ([0-9a-f]+)");

    /** From one time to the next that the others are asked who the superpeers are. */
    private static final long LOOK_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    /** Commands that are on their way to another replica. */
    private static final int MAX_FORWARDED = 1024;

    private final DataFolder folder;
    private final RaftSettings settings;
    private final Network network;

    /** How many superpeers have founded the cluster with this one; 0 of one that came later. */
    private final int founders;

    private final KnownSuperpeers known;
    private final Admission admission;
    private final int self;
    private final RaftGroupId group;
    private final LeadershipEvents leadership;
    private final DirectoryStateMachine stateMachine;
    private final long clusterId;
    private final Path storage;

    /** Whether its log was there when it was opened. */
    private final boolean isKnown;

    /** Null until it is known how to begin. Written once, under the lock of this. */
    private volatile @Nullable RaftServer server;

    private final ClientId localClient = ClientId.randomId();
    private final Semaphore forwards = new Semaphore(MAX_FORWARDED);
    private final ExecutorService forwarders = Executors.newVirtualThreadPerTaskExecutor();

    /** Commands without an answer; the library leaves them so when its log has failed. */
    private final Map<Long, CompletableFuture<Result>> underWay = new ConcurrentHashMap<>();

    private final AtomicLong commands = new AtomicLong();

    private final AtomicBoolean closed = new AtomicBoolean();

    /** Whether the others are just being asked who the superpeers are. */
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /** Whether it founds a cluster by itself. */
    private final boolean beganAlone;

    /** Ids below are founders'. Until the log says how many there were, as many as there may be. */
    private volatile int foundedWith;

    /** Completes when this replica takes part, or can't. */
    private final CompletableFuture<Boolean> admitted = new CompletableFuture<>();

    /** Why this replica takes no part any more; set once, by {@link #logFailed}. */
    private volatile @Nullable StoreException logFailure;

    private final CompletableFuture<StoreException> failed = new CompletableFuture<>();

    private RaftDirectory(
            DataFolder folder,
            int founders,
            KnownSuperpeers known,
            long clusterId,
            Network network,
            RaftSettings settings,
            boolean isKnown) {
        this.folder = folder;
        this.clusterId = clusterId;
        this.isKnown = isKnown;
        this.founders = founders;
        beganAlone = !isKnown && founders == 1;
        foundedWith = founders > 0 ? founders : NodeOptions.MAX_SUPERPEERS;
        this.known = known;
        this.network = network;
        this.settings = settings;
        self = network.nodeId();
        group = RaftNames.groupId(clusterId);
        leadership = new LeadershipEvents();
        stateMachine =
                new DirectoryStateMachine(
                        leadership::changed, this::logFailed, this::superpeersChanged);
        stateMachine.onApplied((command, _) -> {
            if (concernsSuperpeers(command)) {
                superpeersChanged();
            }
        });
        admission = new Admission(network, known, voters(), closed::get);
        storage = folder.path().resolve(STORAGE);
    }

    private RaftServer server(RaftGroup members) throws IOException {
        return RaftServer.newBuilder()
                .setServerId(RaftNames.peer(self))
                .setGroup(members)
                .setStateMachine(stateMachine)
                .setProperties(settings.properties(storage.toFile(), known.all().size() == 1))
                .setParameters(RaftRpcType.parameters(network, this::isSuperpeer))
                .setOption(
                        Files.exists(storage.resolve(group.getUuid().toString()))
                                ? RaftStorage.StartupOption.RECOVER
                                : RaftStorage.StartupOption.FORMAT)
                .build();
    }

    // life cycle

    /**
     * Opens a replica and starts it. It goes on where it stood, or starts empty if the folder is.
     *
     * @param dir its folder, of nobody else
     * @param founders how many superpeers found the cluster, if its folder is empty, whose node ids
     *     are 0 to this − 1; 0: they have, and take this one in
     * @param told other superpeers, as far as they are known
     * @param addresses takes where superpeers are, whenever that is told; does not wait
     * @param clusterId tells the logs of clusters apart
     * @param network of this superpeer, which carries what replicas say to each other; stays the
     *     caller's
     * @return the replica, to be closed before the network
     * @throws StoreException if the folder cannot be used
     */
    public static RaftDirectory open(
            Path dir,
            int founders,
            List<SuperpeerInfo> told,
            Consumer<SuperpeerInfo> addresses,
            long clusterId,
            Network network) {
        return open(dir, founders, told, addresses, clusterId, network, RaftSettings.defaults());
    }

    static RaftDirectory open(
            Path dir,
            int founders,
            List<SuperpeerInfo> told,
            Consumer<SuperpeerInfo> addresses,
            long clusterId,
            Network network,
            RaftSettings settings) {
        DataFolder folder = DataFolder.open(dir);
        try {
            Path members = dir.resolve(MEMBERS);
            boolean isKnown = Files.exists(members);
            int begunWith = isKnown ? checkMembers(members, network.nodeId(), clusterId) : founders;
            if (begunWith > 0 && network.nodeId() >= begunWith) {
                throw new IllegalArgumentException(
                        "no superpeer " + network.nodeId() + " among " + begunWith);
            }
            KnownSuperpeers known = new KnownSuperpeers(dir.resolve(OTHERS), addresses);
            if (known.all().isEmpty()) {
                known.learn(begunWith > 0 ? founders(begunWith) : List.of());
                known.learn(told);
            } else if (!isKnown) { // what an attempt before has left may be out of date
                known.learn(told);
            }
            RaftDirectory replica =
                    new RaftDirectory(
                            folder, begunWith, known, clusterId, network, settings, isKnown);
            replica.start();
            return replica;
        } catch (StoreException | IllegalArgumentException e) {
            folder.close();
            throw e;
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw new StoreException(
                    "the directory's log in "
                            + dir
                            + " cannot be used: "
                            + reason(e)
                            + "; restore it from a copy, move the folder away if most other superpeers are up, or start a new cluster in another one",
                    e);
        }
    }

    /** What the library found at the bottom of it. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof IOException io) {
            return DataFolder.reason(io);
        }
        String said = cause.getMessage();
        return said == null ? "it is damaged (" + cause.getClass().getSimpleName() + ")" : said;
    }

    /**
     * What a folder says of the superpeer whose it is.
     *
     * @param node its id
     * @param superpeers all that it knows of
     * @param isAsFounded whether these are those of the founding
     */
    public record Past(int node, List<SuperpeerInfo> superpeers, boolean isAsFounded) {}

    /**
     * Looks whose a folder is.
     *
     * @param dir the folder of a replica
     * @return who has taken part with it; null if nobody has
     */
    public static @Nullable Past past(Path dir) {
        try {
            Path members = dir.resolve(MEMBERS);
            Matcher written =
                    MEMBER.matcher(Files.exists(members) ? Files.readString(members) : "");
            if (!written.matches()) {
                return null;
            }
            List<SuperpeerInfo> founders = founders(founders(written));
            List<SuperpeerInfo> others = KnownSuperpeers.read(dir.resolve(OTHERS));
            List<SuperpeerInfo> all = others.isEmpty() ? founders : others;
            return new Past(
                    Integer.parseInt(written.group(1)), all, ids(all).equals(ids(founders)));
        } catch (IOException e) {
            throw DataFolder.unusable(dir, e);
        }
    }

    private static List<Integer> ids(List<SuperpeerInfo> superpeers) {
        return superpeers.stream().map(SuperpeerInfo::node).toList();
    }

    /**
     * The superpeers of a cluster that is to be founded.
     *
     * @param count how many
     * @return those with the first ids, whose places are not known
     */
    public static List<SuperpeerInfo> founders(int count) {
        return IntStream.range(0, count)
                .mapToObj(node -> new SuperpeerInfo(node, "", 0, SuperpeerInfo.State.VOTING))
                .toList();
    }

    private void start() throws IOException {
        try {
            if (isKnown || founders == 1) {
                begin(initialGroup());
                noteMembers();
                if (founders > 0 || known.all().size() == 1) {
                    boolean _ = admitted.complete(true);
                }
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        network.serveAsync(RaftMessage.SUBMIT, Execution.WORKER, this::submitted);
        admission.serve();
        if (server == null || known.all().size() > 1) {
            boolean hasBegun = server != null;
            Thread.ofVirtual().name("directory-begin").start(() -> admit(hasBegun));
        }
    }

    /** One that came later has its group from its log, or from the leader. */
    private RaftGroup initialGroup() {
        return founders > 0
                ? RaftNames.group(clusterId, founders)
                : RaftNames.emptyGroup(clusterId);
    }

    /** Begins without a log: as one of those that found the cluster, or behind all that it has. */
    private void admit(boolean hasBegun) {
        try {
            if (hasBegun) { // it may have been left out while its disk was away
                boolean isTakenIn = admission.await(Step.TAKE_IN);
                boolean _ = isTakenIn && admitted.complete(true);
                return;
            }
            if (founders > 0 && !admission.isLate(founders)) {
                noteMembers();
                begin(RaftNames.group(clusterId, founders));
                boolean _ = admitted.complete(true);
                return;
            }
            LOG.warn(
                    "superpeer {} has an empty disk, and its cluster was founded without it or"
                            + " before: it takes part when it has got everything from the others",
                    self);
            if (admission.await(Step.LEAVE_OUT)) {
                removeAll(storage); // of an attempt before
                begin(RaftNames.emptyGroup(clusterId));
                // From the next step on a majority may need what is on its disk.
                noteMembers();
                if (admission.await(Step.TAKE_IN)) {
                    LOG.info("superpeer {} has got everything, and votes", self);
                    boolean _ = admitted.complete(true);
                }
            }
        } catch (StartRefusedException e) {
            LOG.error("{}", e.getMessage());
            takesPartNoMore(e);
        } catch (IOException | RuntimeException e) {
            if (!closed.get()) {
                logFailed(e);
            }
        }
    }

    /**
     * Completes when this replica takes part; fails with a {@link StoreException} if it can't.
     * Replicas of a cluster that is just being founded wait for each other.
     */
    public CompletableFuture<Boolean> admitted() {
        return admitted.copy();
    }

    /**
     * Completes when its log can't be written any more; it takes part again when it is opened anew.
     */
    public CompletableFuture<StoreException> failed() {
        return failed.copy();
    }

    /** From then on its log counts as one. */
    private void noteMembers() throws IOException {
        known.require();
        Path file = folder.path().resolve(MEMBERS);
        if (!Files.exists(file)) {
            DataFolder.write(
                    file,
                    founders > 0
                            ? "superpeer %d of %d of cluster %x"
                                    .formatted(self, founders, clusterId)
                            : "superpeer %d of cluster %x".formatted(self, clusterId));
        }
    }

    // superpeers

    private static boolean concernsSuperpeers(Command command) {
        return switch (command) {
            case Command.FoundCluster _,
                    Command.RegisterSuperpeer _,
                    Command.AddSuperpeer _,
                    Command.RemoveSuperpeer _ ->
                    true;
            default -> false;
        };
    }

    /**
     * On the thread that applies, or before there is one; seldom enough for a file to be written.
     */
    private void superpeersChanged() {
        known.follow(read(Directory::superpeers), read(Directory::formerSuperpeers));
        int founded = read(Directory::founders);
        foundedWith = founded > 0 ? founded : foundedWith;
    }

    /** Others talk to this replica, which has founded a cluster just now: it was one of theirs. */
    private void goesOnElsewhere(int node) {
        if (takesPart()) {
            StartRefusedException refusal =
                    new StartRefusedException(
                            "superpeer "
                                    + node
                                    + " speaks to this one as to one of its cluster, which was"
                                    + " founded before and goes on; this one has begun with an"
                                    + " empty folder as if there was none: start it with --seeds of"
                                    + " the others");
            LOG.error("{}", refusal.getMessage());
            takesPartNoMore(refusal);
        }
    }

    /**
     * Whether a node speaks as one; of who may be one that is not known yet, the others are asked.
     * A founder may have a certificate for its own id alone; who came later has an id as peers have
     * them, so its certificate has to be for more.
     */
    private boolean isSuperpeer(int node) {
        boolean isProven = network.mayBe(node, 0);
        if (known.contains(node)) {
            return isProven || node < foundedWith;
        }
        if (beganAlone && isProven) {
            goesOnElsewhere(node);
        } else if (takesPart() && isLooking.compareAndSet(false, true)) {
            Thread.ofVirtual()
                    .name("directory-look")
                    .start(() -> {
                        try {
                            admission.look();
                            LockSupport.parkNanos(LOOK_PAUSE_NANOS);
                        } finally {
                            isLooking.set(false);
                        }
                    });
        }
        return false;
    }

    @Override
    public boolean takesOthers() {
        return true;
    }

    @Override
    public boolean isAlone() {
        try {
            RaftConfiguration now = running().getDivision(group).getRaftConf();
            return now.getPreviousPeers().isEmpty()
                    && now.getCurrentPeers().size() == 1
                    && now.getPeer(RaftNames.peer(self)) != null;
        } catch (IOException e) {
            LOG.debug("the replica is starting or ending", e);
            return false;
        }
    }

    @Override
    public CompletableFuture<Boolean> dropVoter(int node) {
        try {
            return isLeader() ? admission.drop(node) : CompletableFuture.completedFuture(false);
        } catch (StoreException e) {
            LOG.debug("the replica is starting or ending", e);
            return CompletableFuture.completedFuture(false);
        }
    }

    @Override
    public List<Integer> formerVoters() {
        List<Integer> former = read(Directory::formerSuperpeers);
        if (former.isEmpty() || !isLeader()) {
            return List.of();
        }
        return voters().voters().stream()
                .map(peer -> RaftNames.index(peer.getId()))
                .filter(former::contains)
                .toList();
    }

    private synchronized void begin(RaftGroup members) throws IOException {
        if (closed.get()) {
            return;
        }
        RaftServer begun = server(members);
        server = begun;
        begun.start();
    }

    private static void removeAll(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    Admission.Host voters() {
        return new Voters();
    }

    /** Who votes, and how that changes. */
    private final class Voters implements Admission.Host {
        @Override
        public byte standing() {
            if (read(Directory::clusterId) != 0) {
                return Admission.FOUNDED;
            }
            return isKnown ? Admission.SILENT : Admission.FRESH;
        }

        @Override
        public boolean isLeader() {
            return RaftDirectory.this.isLeader();
        }

        @Override
        public List<RaftPeer> voters() {
            try {
                return List.copyOf(running().getDivision(group).getRaftConf().getCurrentPeers());
            } catch (IOException e) {
                throw new StoreException("the replica is starting or ending", e);
            }
        }

        @Override
        public CompletableFuture<Boolean> setVoters(List<RaftPeer> before, List<RaftPeer> after) {
            SetConfigurationRequest.Arguments change =
                    SetConfigurationRequest.Arguments.newBuilder()
                            .setServersInCurrentConf(before)
                            .setServersInNewConf(after)
                            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                            .build();
            try {
                return running()
                        .setConfigurationAsync(
                                new SetConfigurationRequest(
                                        localClient,
                                        RaftNames.peer(self),
                                        group,
                                        CallId.getAndIncrement(),
                                        change))
                        .handle((reply, failure) -> {
                            LOG.debug("voters {}: {}", after, reply, failure);
                            return failure == null && reply != null && reply.isSuccess();
                        });
            } catch (IOException e) {
                LOG.debug("the replica is starting or ending", e);
                return CompletableFuture.completedFuture(false);
            }
        }

        @Override
        public boolean confirmsLead() {
            return confirmLeadership(RaftSettings.REQUEST_PATIENCE);
        }

        @Override
        public List<SuperpeerInfo> superpeers() {
            return read(Directory::superpeers);
        }

        @Override
        public boolean isRemoved(int node) {
            return read(directory -> directory.wasSuperpeer(node));
        }
    }

    private RaftServer running() throws IOException {
        RaftServer begun = server;
        if (begun == null) {
            throw new IOException("this superpeer has not begun yet");
        }
        return begun;
    }

    @Override
    public void handLeadOn() {
        long deadline = System.nanoTime() + 2 * RaftSettings.HAND_ON_PATIENCE.toNanos();
        List<Integer> successors = successors();
        // One that is gone may take all the time; the others are asked all the same.
        for (int i = 0;
                isLeader() && (i < successors.size() || System.nanoTime() - deadline < 0);
                i++) {
            if (successors.isEmpty()) {
                return;
            }
            int next = successors.get(i % successors.size());
            if (i > 0 && i % successors.size() == 0) { // all have been asked
                LockSupport.parkNanos(RaftSettings.RETRY_PAUSE.toNanos());
            } else if (leadsInstead(next)) {
                LOG.info("superpeer {} leads the directory from now on", next);
                return;
            }
        }
    }

    /** Those who vote and stay. */
    private List<Integer> successors() {
        try {
            return running().getDivision(group).getRaftConf().getCurrentPeers().stream()
                    .map(peer -> RaftNames.index(peer.getId()))
                    .filter(node -> node != self && !read(all -> all.wasSuperpeer(node)))
                    .toList();
        } catch (IOException e) {
            LOG.debug("the replica is starting or ending", e);
            return List.of();
        }
    }

    private boolean leadsInstead(int next) {
        Duration patience = RaftSettings.HAND_ON_PATIENCE;
        try {
            return running()
                    .transferLeadershipAsync(
                            new TransferLeadershipRequest(
                                    localClient,
                                    RaftNames.peer(self),
                                    group,
                                    CallId.getAndIncrement(),
                                    RaftNames.peer(next),
                                    patience.toMillis()))
                    .get(2 * patience.toMillis(), TimeUnit.MILLISECONDS)
                    .isSuccess();
        } catch (IOException | ExecutionException | TimeoutException e) {
            LOG.debug("superpeer {} does not take the lead", next, e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true; // whoever leads then
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean _ = admitted.completeExceptionally(closedNow());
        leadership.close();
        forwarders.shutdownNow();
        try {
            endServer();
        } finally {
            folder.close();
        }
    }

    private synchronized void endServer() {
        RaftServer begun = server;
        try {
            if (begun != null) {
                begun.close();
            }
        } catch (IOException e) {
            LOG.warn("could not end the directory's log in good order", e);
        }
    }

    /**
     * On the thread that writes the log. The library goes on to lead and to send signs of life, so
     * that others would never be elected: this replica ends.
     */
    private void logFailed(Throwable cause) {
        LOG.error("the directory's log has failed", cause);
        StoreException failure =
                new StoreException(
                        "the directory's log in "
                                + folder.path()
                                + " has failed: "
                                + reason(cause)
                                + "; make room or repair the disk, and start this superpeer again",
                        cause);
        takesPartNoMore(failure);
        failed.complete(failure);
    }

    private void takesPartNoMore(StoreException failure) {
        logFailure = failure;
        boolean _ = admitted.completeExceptionally(failure);
        leadership.changed(false);
        failUnderWay();
        Thread.ofPlatform().daemon().name("directory-end").start(this::endServer);
    }

    /** Called after a command was noted as well as after the failure was: one sees the other. */
    private void failUnderWay() {
        StoreException failure = logFailure;
        if (failure != null) {
            underWay.values().forEach(answer -> answer.completeExceptionally(unanswered(failure)));
        }
    }

    // operations

    @Override
    public CompletableFuture<Result> apply(Command command) {
        return bounded(command, bytes -> isLeader() ? applyHere(bytes) : forward(bytes));
    }

    @Override
    public CompletableFuture<Result> applyAsLeader(Command command) {
        return bounded(
                command,
                bytes ->
                        isLeader()
                                ? submit(bytes)
                                        .thenApply(result -> result.orElseThrow(this::leadsNoMore))
                                : CompletableFuture.failedFuture(leadsNoMore()));
    }

    private StoreException leadsNoMore() {
        return new StoreException("superpeer " + self + " does not lead the directory (any more)");
    }

    /** Within the patience, and as long as this replica takes part. */
    private CompletableFuture<Result> bounded(
            Command command, Function<byte[], CompletableFuture<Result>> way) {
        byte[] bytes;
        try {
            bytes = CommandLayout.write(command);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(
                    new StoreException(String.valueOf(e.getMessage()), e));
        }
        StoreException refusal = closed.get() ? closedNow() : logFailure;
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        CompletableFuture<Result> answer = way.apply(bytes);
        long number = commands.incrementAndGet();
        underWay.put(number, answer);
        failUnderWay();
        return answer.whenComplete((_, _) -> underWay.remove(number))
                .orTimeout(settings.patience().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(explain(failure)));
    }

    @Override
    public <T> T read(Function<Directory, T> query) {
        return stateMachine.read(query);
    }

    @Override
    public boolean isBusy() {
        return stateMachine.isBusy();
    }

    @Override
    public boolean isLeader() {
        try {
            return takesPart() && info().isLeaderReady();
        } catch (IOException e) {
            LOG.debug("the replica is starting or ending", e);
            return false;
        }
    }

    @Override
    public int leader() {
        try {
            RaftPeerId leader = takesPart() ? info().getLeaderId() : null;
            return leader == null ? NO_LEADER : RaftNames.index(leader);
        } catch (IOException e) {
            LOG.debug("the replica is starting or ending", e);
            return NO_LEADER;
        }
    }

    @Override
    public void onApplied(BiConsumer<Command, Result> listener) {
        stateMachine.onApplied(listener);
    }

    @Override
    public void onLeadership(Consumer<Boolean> listener) {
        leadership.add(listener);
    }

    /**
     * Asks a majority, by a linearizable read, whether this replica still leads. The term before
     * and after is the same, so it was no follower's read in between.
     */
    @Override
    public boolean confirmLeadership(Duration patience) {
        try {
            if (!isLeader()) {
                return false;
            }
            long term = info().getCurrentTerm();
            RaftClientReply reply =
                    running()
                            .submitClientRequestAsync(
                                    request(Message.EMPTY, RaftClientRequest.readRequestType()))
                            .get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return reply.isSuccess() && isLeader() && info().getCurrentTerm() == term;
        } catch (IOException | ExecutionException | TimeoutException e) {
            LOG.debug("leadership could not be confirmed", e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // private

    private CompletableFuture<Result> applyHere(byte[] command) {
        return submit(command)
                .thenCompose(result ->
                        result.map(CompletableFuture::completedFuture)
                                .orElseGet(() -> forward(command)));
    }

    /** Empty if this replica does not lead; the command may have taken effect even so. */
    private CompletableFuture<Optional<Result>> submit(byte[] command) {
        Message message = DirectoryStateMachine.message(command);
        try {
            return running()
                    .submitClientRequestAsync(
                            request(message, RaftClientRequest.writeRequestType()))
                    .handle(RaftDirectory::resultIfAny);
        } catch (IOException e) {
            LOG.debug("the replica is starting or ending", e);
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    private static Optional<Result> resultIfAny(
            @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        return failure == null && reply != null && reply.isSuccess()
                ? Optional.of(result(reply))
                : Optional.empty();
    }

    /** Another superpeer takes this one for the leader. */
    private void submitted(int source, Submit request, Responder<Reply> responder) {
        if (!isSuperpeer(source) || !isLeader()) {
            responder.respond(new Reply(new byte[0]));
            return;
        }
        CompletableFuture<?> _ =
                submit(request.command())
                        .thenAccept(result ->
                                responder.respond(
                                        new Reply(
                                                result.map(ResultLayout::write)
                                                        .orElse(new byte[0]))));
    }

    /** Sends a command to whoever leads, and waits for that on a thread of its own. */
    private CompletableFuture<Result> forward(byte[] command) {
        if (!forwards.tryAcquire()) {
            return CompletableFuture.failedFuture(
                    new StoreException(
                            "more than " + MAX_FORWARDED + " commands wait for the directory"));
        }
        CompletableFuture<Result> answer = new CompletableFuture<>();
        try {
            forwarders.execute(() -> {
                try {
                    answer.complete(send(command));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    answer.completeExceptionally(closedNow());
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                } finally {
                    forwards.release();
                }
            });
        } catch (RejectedExecutionException e) {
            forwards.release();
            answer.completeExceptionally(closedNow());
        }
        return answer;
    }

    /** Asks again whoever leads by then, as often as there is time. */
    private Result send(byte[] command) throws InterruptedException {
        long deadline = System.nanoTime() + settings.patience().toNanos();
        while (true) {
            Optional<Result> result = attempt(command);
            if (result.isPresent()) {
                return result.get();
            }
            if (System.nanoTime() - deadline >= 0 || logFailure != null) {
                throw unanswered(logFailure);
            }
            LockSupport.parkNanos(RaftSettings.RETRY_PAUSE.toNanos());
        }
    }

    private Optional<Result> attempt(byte[] command) throws InterruptedException {
        int leader = leader();
        try {
            if (leader == NO_LEADER) {
                return Optional.empty();
            }
            if (leader == self) {
                return submit(command)
                        .get(RaftSettings.REQUEST_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
            byte[] result =
                    network.call(leader, new Submit(command), RaftSettings.REQUEST_PATIENCE).body();
            return result.length == 0 ? Optional.empty() : Optional.of(ResultLayout.read(result));
        } catch (NetException | ExecutionException | TimeoutException e) {
            LOG.debug("superpeer {} did not answer a command, which is sent again", leader, e);
            return Optional.empty();
        }
    }

    private RaftClientRequest request(Message message, RaftClientRequest.Type type) {
        return RaftClientRequest.newBuilder()
                .setClientId(localClient)
                .setServerId(RaftNames.peer(self))
                .setGroupId(group)
                .setCallId(CallId.getAndIncrement())
                .setMessage(message)
                .setType(type)
                .build();
    }

    private static Result result(RaftClientReply reply) {
        return ResultLayout.read(reply.getMessage().getContent().toByteArray());
    }

    private static Throwable explain(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof StoreException ? cause : unanswered(cause);
    }

    private static StoreException unanswered(@Nullable Throwable cause) {
        String reason =
                cause instanceof StoreException
                        ? String.valueOf(cause.getMessage())
                        : "the directory did not answer in time: no majority of superpeers, or no"
                                + " leader among them";
        return new IndeterminateException(reason, cause);
    }

    private boolean takesPart() {
        return !closed.get() && logFailure == null;
    }

    private static StoreException closedNow() {
        return new StoreException("the directory takes no commands any more: it is closed");
    }

    private DivisionInfo info() throws IOException {
        return running().getDivision(group).getInfo();
    }

    /**
     * The log is that of one superpeer of one cluster, and of no use to others. Tells how many it
     * has founded the cluster with; 0 if it came later.
     */
    private static int checkMembers(Path file, int self, long clusterId) throws IOException {
        String before = Files.readString(file);
        Matcher written = MEMBER.matcher(before);
        if (!written.matches()
                || Integer.parseInt(written.group(1)) != self
                || !written.group(3).equals(Long.toHexString(clusterId))) {
            throw new StoreException(
                    "data directory "
                            + file.getParent()
                            + " belongs to "
                            + before
                            + "; this is superpeer %d of cluster %x".formatted(self, clusterId));
        }
        return founders(written);
    }

    private static int founders(Matcher written) {
        return written.group(2) == null ? 0 : Integer.parseInt(written.group(2));
    }
}
