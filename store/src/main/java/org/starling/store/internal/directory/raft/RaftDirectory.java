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
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.DataFolder;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;
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

    /** Commands that are on their way to another replica. */
    private static final int MAX_FORWARDED = 1024;

    private final DataFolder folder;
    private final RaftSettings settings;
    private final Network network;
    private final int superpeers;
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

    /** Why this replica takes no part any more; set once, by {@link #logFailed}. */
    private volatile @Nullable StoreException logFailure;

    private RaftDirectory(
            DataFolder folder,
            int superpeers,
            long clusterId,
            Network network,
            RaftSettings settings,
            boolean isKnown) {
        this.folder = folder;
        this.clusterId = clusterId;
        this.isKnown = isKnown;
        this.superpeers = superpeers;
        this.network = network;
        this.settings = settings;
        self = network.nodeId();
        group = RaftNames.groupId(clusterId);
        leadership = new LeadershipEvents();
        stateMachine = new DirectoryStateMachine(leadership::changed, this::logFailed);
        storage = folder.path().resolve(STORAGE);
    }

    private RaftServer server(RaftGroup members) throws IOException {
        return RaftServer.newBuilder()
                .setServerId(RaftNames.peer(self))
                .setGroup(members)
                .setStateMachine(stateMachine)
                .setProperties(settings.properties(storage.toFile(), superpeers))
                .setParameters(RaftRpcType.parameters(network, superpeers))
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
     * @param superpeers how many there are; their node ids are 0 to this − 1
     * @param clusterId tells the logs of clusters apart
     * @param network of this superpeer, which carries what replicas say to each other; stays the
     *     caller's
     * @return the replica, to be closed before the network
     * @throws StoreException if the folder cannot be used
     */
    public static DirectoryReplica open(Path dir, int superpeers, long clusterId, Network network) {
        return open(dir, superpeers, clusterId, network, RaftSettings.defaults());
    }

    static RaftDirectory open(
            Path dir, int superpeers, long clusterId, Network network, RaftSettings settings) {
        if (network.nodeId() >= superpeers) {
            throw new IllegalArgumentException(
                    "no superpeer " + network.nodeId() + " among " + superpeers);
        }
        DataFolder folder = DataFolder.open(dir);
        try {
            boolean isKnown = Files.exists(dir.resolve(MEMBERS));
            if (isKnown) {
                checkMembers(dir.resolve(MEMBERS), network.nodeId(), superpeers, clusterId);
            }
            RaftDirectory replica =
                    new RaftDirectory(folder, superpeers, clusterId, network, settings, isKnown);
            replica.start();
            return replica;
        } catch (StoreException e) {
            folder.close();
            throw e;
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw new StoreException(
                    "the directory's log in "
                            + dir
                            + " cannot be used: "
                            + reason(e)
                            + "; restore it from a copy, or start a new cluster in another folder",
                    e);
        }
    }

    /** What the library found at the bottom of it. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof IOException io
                ? DataFolder.reason(io)
                : String.valueOf(cause.getMessage());
    }

    private void start() throws IOException {
        Admission admission = new Admission(network, superpeers, voters(), closed::get);
        try {
            if (isKnown || superpeers == 1) {
                begin(RaftNames.group(clusterId, superpeers));
                noteMembers();
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        network.serveAsync(RaftMessage.SUBMIT, Execution.WORKER, this::submitted);
        admission.serve();
        if (superpeers > 1) {
            boolean hasBegun = server != null;
            Thread.ofVirtual()
                    .name("directory-begin")
                    .start(() -> {
                        if (hasBegun) { // it may have been left out while its disk was away
                            admission.await(Step.TAKE_IN);
                        } else {
                            admit(admission);
                        }
                    });
        }
    }

    /** Begins without a log: as one of those that found the cluster, or behind all that it has. */
    private void admit(Admission admission) {
        try {
            if (!admission.isLate()) {
                noteMembers();
                begin(RaftNames.group(clusterId, superpeers));
                return;
            }
            LOG.warn(
                    "superpeer {} has an empty disk, and its cluster was founded without it or"
                            + " before: it takes part when it has got everything from the others",
                    self);
            if (admission.await(Step.LEAVE_OUT)) {
                removeAll(storage); // of an attempt before
                begin(RaftNames.emptyGroup(clusterId));
                if (admission.await(Step.TAKE_IN)) {
                    noteMembers();
                    LOG.info("superpeer {} has got everything, and votes", self);
                }
            }
        } catch (IOException | RuntimeException e) {
            if (!closed.get()) {
                logFailed(e);
            }
        }
    }

    /** From then on its log counts as one. */
    private void noteMembers() throws IOException {
        checkMembers(folder.path().resolve(MEMBERS), self, superpeers, clusterId);
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
        if (superpeers == 1) {
            return;
        }
        long deadline = System.nanoTime() + 2 * RaftSettings.HAND_ON_PATIENCE.toNanos();
        for (int i = 1; isLeader() && System.nanoTime() - deadline < 0; i++) {
            int next = (self + i) % superpeers;
            if (next == self) { // all have been asked
                LockSupport.parkNanos(RaftSettings.RETRY_PAUSE.toNanos());
            } else if (leadsInstead(next)) {
                LOG.info("superpeer {} leads the directory from now on", next);
                return;
            }
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
        logFailure =
                new StoreException(
                        "the directory's log in "
                                + folder.path()
                                + " has failed: "
                                + reason(cause)
                                + "; make room or repair the disk, and start this superpeer again",
                        cause);
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
        if (source >= superpeers || !isLeader()) {
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

    /** The log is that of one superpeer of one cluster, and of no use to others. */
    private static void checkMembers(Path file, int self, int superpeers, long clusterId)
            throws IOException {
        String members = "superpeer %d of %d of cluster %x".formatted(self, superpeers, clusterId);
        if (!Files.exists(file)) {
            DataFolder.write(file, members);
            return;
        }
        String before = Files.readString(file);
        if (!before.equals(members)) {
            throw new StoreException(
                    "data directory "
                            + file.getParent()
                            + " belongs to "
                            + before
                            + "; this is "
                            + members);
        }
    }
}
