package org.starling.store.internal.directory.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.DataFolder;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;

/**
 * The directory of a cluster with several superpeers: one of its replicas, under Raft by Apache
 * Ratis. A command is answered when a majority has it on disk, and a majority of superpeers is
 * enough for everything. The leader takes commands itself, other replicas send them to it; either
 * way a command may take effect although its answer was lost, and may be applied twice, which the
 * guards of the commands make harmless.
 *
 * <p>Ratis runs its own threads. Answers come on them, so what depends on a future of {@link
 * #apply} must not wait. After a restart {@link #onApplied} may tell again what was applied before
 * it.
 */
public final class RaftDirectory implements DirectoryReplica {
    private static final Logger LOG = LogManager.getLogger(RaftDirectory.class);

    /** The one group, by the same id in every cluster. */
    private static final RaftGroupId GROUP =
            RaftGroupId.valueOf(UUID.fromString("6f0ee2c2-2b5c-4f3a-9d55-73746172646c"));

    private static final String STORAGE = "raft";
    private static final String MEMBERS = "superpeers";
    private static final String PEER_PREFIX = "superpeer-";

    /** Commands that are on their way to another replica. */
    private static final int MAX_FORWARDED = 1024;

    private final DataFolder folder;
    private final RaftSettings settings;
    private final RaftPeerId self;
    private final LeadershipEvents leadership;
    private final DirectoryStateMachine stateMachine;
    private final RaftServer server;
    private final RaftClient client;
    private final ClientId localClient = ClientId.randomId();
    private final Semaphore forwards = new Semaphore(MAX_FORWARDED);
    private final ExecutorService forwarders = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicBoolean closed = new AtomicBoolean();

    private RaftDirectory(
            DataFolder folder, int index, List<InetSocketAddress> addresses, RaftSettings settings)
            throws IOException {
        this.folder = folder;
        this.settings = settings;
        self = peerId(index);
        leadership = new LeadershipEvents();
        stateMachine = new DirectoryStateMachine(leadership::changed);
        Path storage = folder.path().resolve(STORAGE);
        RaftProperties properties = settings.properties(storage.toFile(), addresses.get(index));
        RaftGroup group = group(addresses);
        server =
                RaftServer.newBuilder()
                        .setServerId(self)
                        .setGroup(group)
                        .setStateMachine(stateMachine)
                        .setProperties(properties)
                        .setOption(
                                Files.exists(storage.resolve(GROUP.getUuid().toString()))
                                        ? RaftStorage.StartupOption.RECOVER
                                        : RaftStorage.StartupOption.FORMAT)
                        .build();
        client =
                RaftClient.newBuilder()
                        .setRaftGroup(group)
                        .setProperties(properties)
                        .setRetryPolicy(
                                RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                                        settings.attempts(),
                                        TimeDuration.valueOf(
                                                RaftSettings.RETRY_PAUSE.toMillis(),
                                                TimeUnit.MILLISECONDS)))
                        .build();
    }

    // life cycle

    /**
     * Opens a replica and starts it. It goes on where it stood, or starts empty if the folder is.
     *
     * @param dir its folder, of nobody else
     * @param self its index among the superpeers
     * @param raftAddresses where each superpeer's Raft listens, in the order of their indexes; the
     *     same list for all, and the same after a restart
     * @return the replica, to be closed
     * @throws StoreException if the folder or the address cannot be used
     */
    public static DirectoryReplica open(Path dir, int self, List<InetSocketAddress> raftAddresses) {
        return open(dir, self, raftAddresses, RaftSettings.defaults());
    }

    static RaftDirectory open(
            Path dir, int self, List<InetSocketAddress> raftAddresses, RaftSettings settings) {
        if (self < 0 || self >= raftAddresses.size()) {
            throw new IllegalArgumentException(
                    "no superpeer " + self + " among " + raftAddresses.size());
        }
        DataFolder folder = DataFolder.open(dir);
        try {
            checkMembers(dir.resolve(MEMBERS), self, raftAddresses);
            checkAddress(raftAddresses.get(self));
            RaftDirectory replica = new RaftDirectory(folder, self, raftAddresses, settings);
            replica.start();
            return replica;
        } catch (IOException e) {
            folder.close();
            throw new StoreException(
                    "the replicated directory in "
                            + dir
                            + " cannot be used: "
                            + DataFolder.reason(e),
                    e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private void start() throws IOException {
        try {
            server.start();
        } catch (IOException e) {
            close();
            throw e;
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
            client.close();
            server.close();
        } catch (IOException e) {
            LOG.warn("could not end the replicated directory in good order", e);
        } finally {
            folder.close();
        }
    }

    // operations

    @Override
    public CompletableFuture<Result> apply(Command command) {
        Message message;
        try {
            message = DirectoryStateMachine.message(CommandLayout.write(command));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(
                    new StoreException(String.valueOf(e.getMessage()), e));
        }
        if (closed.get()) {
            return CompletableFuture.failedFuture(
                    new StoreException("the directory takes no commands any more: it is closed"));
        }
        CompletableFuture<Result> answer = isLeader() ? applyHere(message) : forward(message);
        return answer.orTimeout(settings.patience().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(explain(failure)));
    }

    @Override
    public <T> T read(Function<Directory, T> query) {
        return stateMachine.read(query);
    }

    @Override
    public boolean isLeader() {
        try {
            return !closed.get() && info().isLeaderReady();
        } catch (IOException e) {
            LOG.debug("the replica is starting or ending", e);
            return false;
        }
    }

    @Override
    public int leader() {
        try {
            RaftPeerId leader = closed.get() ? null : info().getLeaderId();
            return leader == null
                    ? NO_LEADER
                    : Integer.parseInt(leader.toString().substring(PEER_PREFIX.length()));
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
                    server.submitClientRequestAsync(
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

    private CompletableFuture<Result> applyHere(Message message) {
        CompletableFuture<RaftClientReply> reply;
        try {
            reply =
                    server.submitClientRequestAsync(
                            request(message, RaftClientRequest.writeRequestType()));
        } catch (IOException e) {
            return forward(message);
        }
        return reply.handle((done, failure) -> resultIfAny(done, failure))
                .thenCompose(result ->
                        result.map(CompletableFuture::completedFuture)
                                .orElseGet(() -> forward(message)));
    }

    private static Optional<Result> resultIfAny(
            @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        return failure == null && reply != null && reply.isSuccess()
                ? Optional.of(result(reply))
                : Optional.empty();
    }

    /** Sends a command to whoever leads, and waits for that on a thread of its own. */
    private CompletableFuture<Result> forward(Message message) {
        if (!forwards.tryAcquire()) {
            return CompletableFuture.failedFuture(
                    new StoreException(
                            "more than " + MAX_FORWARDED + " commands wait for the directory"));
        }
        CompletableFuture<Result> answer = new CompletableFuture<>();
        forwarders.execute(() -> {
            try {
                answer.complete(send(message));
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
            } finally {
                forwards.release();
            }
        });
        return answer;
    }

    /**
     * Asks again when a leader that ends or steps down hangs up on a command that is under way: for
     * that the client has no patience of its own.
     */
    private Result send(Message message) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                RaftClientReply reply = client.io().send(message);
                if (!reply.isSuccess()) {
                    throw reply.getException();
                }
                return result(reply);
            } catch (AlreadyClosedException | LeaderSteppingDownException e) {
                if (closed.get() || attempt >= settings.attempts()) {
                    throw e;
                }
                LOG.debug(
                        "the directory's leader has hung up on a command, which is sent again", e);
            }
            LockSupport.parkNanos(RaftSettings.RETRY_PAUSE.toNanos());
        }
    }

    private RaftClientRequest request(Message message, RaftClientRequest.Type type) {
        return RaftClientRequest.newBuilder()
                .setClientId(localClient)
                .setServerId(self)
                .setGroupId(GROUP)
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
        return cause instanceof StoreException
                ? cause
                : new IndeterminateException(
                        "the directory did not answer in time: no majority of superpeers, or no"
                                + " leader among them",
                        cause);
    }

    private DivisionInfo info() throws IOException {
        return server.getDivision(GROUP).getInfo();
    }

    private static RaftPeerId peerId(int index) {
        return RaftPeerId.valueOf(PEER_PREFIX + index);
    }

    private static RaftGroup group(List<InetSocketAddress> addresses) {
        RaftPeer[] peers = new RaftPeer[addresses.size()];
        for (int i = 0; i < peers.length; i++) {
            peers[i] =
                    RaftPeer.newBuilder()
                            .setId(peerId(i))
                            .setAddress(text(addresses.get(i)))
                            .build();
        }
        return RaftGroup.valueOf(GROUP, peers);
    }

    /** Ratis starts its threads before it binds its address, so a taken one is found out first. */
    private static void checkAddress(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException e) {
            throw new StoreException(
                    "the replicated directory cannot listen on "
                            + text(address)
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static String text(InetSocketAddress address) {
        return RaftSettings.host(address) + ':' + address.getPort();
    }

    /** The log names its members by their addresses, so it is of no use under others. */
    private static void checkMembers(Path file, int self, List<InetSocketAddress> addresses)
            throws IOException {
        String members =
                self
                        + " of "
                        + addresses.stream()
                                .map(RaftDirectory::text)
                                .collect(Collectors.joining(", "));
        if (!Files.exists(file)) {
            Files.writeString(file, members);
            return;
        }
        String before = Files.readString(file);
        if (!before.equals(members)) {
            throw new StoreException(
                    "data directory "
                            + file.getParent()
                            + " belongs to superpeer "
                            + before
                            + "; this is superpeer "
                            + members);
        }
    }
}
