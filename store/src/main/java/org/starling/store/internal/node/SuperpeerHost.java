package org.starling.store.internal.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.ClusterSecret;
import org.starling.net.Network;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StartRefusedException;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.raft.RaftDirectory;
import org.starling.store.internal.node.NodeMessage.Joined;

/**
 * Starts a superpeer: makes the node, opens its replica of the directory, which talks over the
 * node's network, founds the cluster or finds it, registers itself, and has its agent stepped.
 * Belongs to the node; confined to the starting thread, and closed with the node.
 */
final class SuperpeerHost implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(SuperpeerHost.class);

    /** From one look to the next whether the cluster has been founded. */
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private final NodeOptions options;
    private final int self;
    private final DirectoryReplica replica;

    /** Null of a replica without a disk, which is the only one. */
    private final @Nullable RaftDirectory log;

    private SuperpeerHost(
            NodeOptions options, int self, DirectoryReplica replica, @Nullable RaftDirectory log) {
        this.options = options;
        this.self = self;
        this.replica = replica;
        this.log = log;
    }

    /**
     * Which superpeer it is, and all of them, as far as that is known before it is one.
     *
     * @param founds whether it is one of those of the founding, and nobody has come or gone since
     */
    private record Self(int node, boolean founds, List<SuperpeerInfo> others) {}

    static Node start(NodeOptions options) {
        DataDirectory data =
                options.dataDirectory() == null
                        ? null
                        : DataDirectory.open(options.dataDirectory(), Role.SUPERPEER);
        Node node = null;
        try {
            ClusterSecret secret = options.config().net().secret();
            if (data != null && !secret.isNone()) {
                data.check(secret.clusterId());
            }
            NodeTransport transport = NodeTransport.of(options);
            Self self = self(options, transport, data);
            AddressTable addresses = new AddressTable();
            if (self.founds && self.others.size() == options.superpeers().size()) {
                addresses.putSuperpeers(options.superpeers()); // they may have moved
            }
            LeaderGuess superpeers = new LeaderGuess(List.of(self.node), self.node);
            superpeers.knowMore(self.others.stream().map(SuperpeerInfo::node).toList());
            Node.Ground ground =
                    new Node.Ground(options, transport, addresses, superpeers, data, null);
            node = new Node(Role.SUPERPEER, self.node, ground);
            SuperpeerHost host = opened(options, self, data, node.network(), addresses);
            node.hosts(host);
            host.start(node, transport, addresses, data);
            return node;
        } catch (RuntimeException e) {
            if (node != null) {
                node.close();
            } else if (data != null) {
                data.close();
            }
            throw e;
        }
    }

    /** Before an orderly end, while it still serves. */
    void leave() {
        replica.handLeadOn();
    }

    @Override
    public void close() {
        replica.close();
    }

    DirectoryReplica replica() {
        return replica;
    }

    /** A superpeer that has been one is the same again, whatever its options say. */
    private static Self self(
            NodeOptions options, NodeTransport transport, @Nullable DataDirectory data) {
        int index = options.superpeerIndex();
        boolean joins = index == NodeOptions.NEWCOMER;
        if (data == null && (joins || options.superpeerCount() > 1)) {
            throw new StoreException("one of several superpeers needs a data directory");
        }
        if (data == null) {
            return new Self(index, true, List.of());
        }
        RaftDirectory.Past past = RaftDirectory.past(data.directory());
        if (past != null && (joins || !past.isAsFounded())) {
            return new Self(past.node(), false, past.superpeers());
        }
        if (joins) {
            return taken(options, transport, data);
        }
        if (past == null && options.superpeerCount() % 2 == 0) {
            throw new StartRefusedException(
                    "a cluster is founded by 1, 3 or 5 superpeers, not by "
                            + options.superpeerCount()
                            + "; name one or two more, or leave this one out of its own seeds to have"
                            + " it taken in by the others");
        }
        if (data.node() != DataDirectory.UNUSED && data.node() != index) {
            throw new StoreException(
                    "data directory "
                            + options.dataDirectory()
                            + " is that of superpeer "
                            + data.node()
                            + ", and this is superpeer "
                            + index);
        }
        return new Self(
                index,
                true,
                past != null
                        ? past.superpeers()
                        : RaftDirectory.founders(options.superpeerCount()));
    }

    /** Until it is one it asks with the same nonce, and gets the same id. */
    private static Self taken(NodeOptions options, NodeTransport transport, DataDirectory data) {
        long before = data.unansweredNonce();
        long nonce = before != 0 ? before : ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        data.registering(nonce);
        Joined joined = Joiner.ofSuperpeer(options, transport, nonce, System::nanoTime).join();
        data.check(joined.clusterId());
        LOG.info("this node is to be superpeer {} of the cluster", joined.node());
        return new Self(joined.node(), false, joined.superpeers());
    }

    private static SuperpeerHost opened(
            NodeOptions options,
            Self self,
            @Nullable DataDirectory data,
            Network network,
            AddressTable addresses) {
        if (data == null) {
            return new SuperpeerHost(options, self.node, new InMemoryDirectory(), null);
        }
        RaftDirectory log =
                RaftDirectory.open(
                        data.directory(),
                        self.founds ? options.superpeerCount() : 0,
                        self.others,
                        addresses::learn,
                        options.config().net().clusterId(),
                        network);
        return new SuperpeerHost(options, self.node, log, log);
    }

    private void start(
            Node node,
            NodeTransport transport,
            AddressTable addresses,
            @Nullable DataDirectory data) {
        RaftDirectory raft = log;
        if (raft != null) {
            await(raft.admitted(), options.config().joinTimeout());
        }
        boolean isNew = data == null || data.node() == DataDirectory.UNUSED;
        boolean founds = options.superpeerIndex() != NodeOptions.NEWCOMER;
        long clusterId = found(founds, founds && isNew, options.config().joinTimeout());
        if (data != null) {
            data.use(clusterId, self, 0);
            countStart(node);
        }
        run(node, transport, addresses, options.config());
        node.started();
        if (raft != null) {
            var _ = raft.failed().thenAccept(node::failed);
        }
    }

    private void countStart(Node node) {
        Duration timeout = options.config().joinTimeout();
        long deadline = System.nanoTime() + timeout.toNanos();
        long starts =
                StartCount.next(
                        replica,
                        self,
                        node.starts(),
                        command -> await(command, timeout),
                        () -> System.nanoTime() - deadline >= 0);
        if (starts > node.starts()) {
            node.startedBefore(starts);
        }
    }

    private void run(
            Node node, NodeTransport transport, AddressTable addresses, StoreConfig config) {
        Threads threads = node.threads();
        // The agent is woken from inside the superpeer's constructor on, and stepped once it
        // exists.
        Superpeer[] made = new Superpeer[1];
        Runnable wake =
                () ->
                        threads.wake(() -> {
                            if (made[0] != null) {
                                made[0].doWork();
                            }
                        });
        Superpeer superpeer =
                new Superpeer(
                        node.network(),
                        replica,
                        addresses,
                        config,
                        node::take,
                        wake,
                        System::nanoTime);
        made[0] = superpeer;
        Command register = new Command.RegisterSuperpeer(self, transport.host(), transport.port());
        Result _ = await(register, config.joinTimeout());
        superpeer.start();
        superpeer.confirm();
        superpeer.doWork();
        threads.every(threads.agent(), config.heartbeatInterval(), superpeer::doWork);
        if (replica.takesOthers()) {
            threads.every(
                    threads.confirmer(), Superpeer.CONFIRM_WINDOW.dividedBy(4), superpeer::confirm);
            HeartbeatSender heartbeats = node.heartbeats(() -> registerAgain(register));
            threads.every(
                    threads.timer(),
                    config.heartbeatInterval(),
                    () -> {
                        if (!replica.isAlone()) {
                            heartbeats.doWork();
                        }
                    });
        }
    }

    /** The cluster's id: that of its secret, or chosen at random if it has none. */
    private long found(boolean founds, boolean isNew, Duration timeout) {
        ClusterSecret secret = options.config().net().secret();
        long chosen =
                secret.isNone()
                        ? ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)
                        : secret.clusterId();
        if (founds) { // of a cluster that is there it changes nothing
            Result _ = await(new Command.FoundCluster(chosen, options.superpeerCount()), timeout);
        }
        // A replica may be a little behind what it had carried out, which may have taken all the
        // time.
        long deadline = System.nanoTime() + timeout.toNanos();
        long clusterId = replica.read(Directory::clusterId);
        while (clusterId == 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
            clusterId = replica.read(Directory::clusterId);
        }
        if (clusterId == 0) {
            throw new StoreException(
                    "this superpeer did not hear of the cluster's founding in time");
        }
        int founders = replica.read(Directory::founders);
        boolean isAsFounded =
                replica.<Boolean>read(directory ->
                        directory.superpeers().size() == founders
                                && directory.formerSuperpeers().isEmpty());
        if (isNew && isAsFounded && founders != options.superpeerCount()) {
            throw new StoreException(
                    "the cluster was founded with "
                            + founders
                            + " superpeers, and this one was started as one of "
                            + options.superpeerCount());
        }
        return clusterId;
    }

    /** Until this replica takes part. */
    private void await(CompletableFuture<Boolean> admitted, Duration timeout) {
        try {
            boolean _ = admitted.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StartRefusedException removed) {
                throw removed;
            }
            throw new StoreException(
                    String.valueOf(RemoteChunks.unwrapped(e).getMessage()), e.getCause());
        } catch (TimeoutException e) {
            throw late("no majority of superpeers answers");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while starting a superpeer", e);
        }
    }

    /** Tries again until the time is over; commands of starting superpeers do no harm twice. */
    private Result await(Command command, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        String last = "no answer";
        while (System.nanoTime() - deadline < 0) {
            try {
                Result result =
                        replica.apply(command)
                                .get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (result instanceof Result.Refused refused) {
                    throw new StoreException(
                            "the directory refused this superpeer: " + refused.reason());
                }
                return result;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof StartRefusedException removed) {
                    throw removed;
                }
                last = String.valueOf(RemoteChunks.unwrapped(e).getMessage());
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (TimeoutException e) {
                last = "no majority of superpeers answers";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while starting a superpeer", e);
            }
        }
        throw late(last);
    }

    private StoreException late(String last) {
        return new StoreException(
                "superpeer "
                        + self
                        + " could not start within "
                        + options.config().joinTimeout()
                        + ": "
                        + last
                        + (options.superpeers().isEmpty()
                                ? ""
                                : "; the superpeers are to be at "
                                        + Joiner.places(options.superpeers())));
    }

    /** A superpeer that was declared lost while it was silent is a member again. */
    private void registerAgain(Command register) {
        LOG.warn("superpeer {} had been declared lost and registers again", self);
        var _ =
                replica.apply(register)
                        .exceptionally(failure -> {
                            LOG.debug("could not register again: {}", failure.getMessage());
                            return new Result.Done(false);
                        });
    }
}
