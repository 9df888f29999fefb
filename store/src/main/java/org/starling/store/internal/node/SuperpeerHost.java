package org.starling.store.internal.node;

import java.time.Duration;
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
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.raft.RaftDirectory;

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
    private final DirectoryReplica replica;

    private SuperpeerHost(NodeOptions options, DirectoryReplica replica) {
        this.options = options;
        this.replica = replica;
    }

    static Node start(NodeOptions options) {
        int index = options.superpeerIndex();
        DataDirectory data =
                options.dataDirectory() == null
                        ? null
                        : DataDirectory.open(options.dataDirectory(), Role.SUPERPEER);
        Node node = null;
        try {
            if (data != null && data.node() != DataDirectory.UNUSED && data.node() != index) {
                throw new StoreException(
                        "data directory "
                                + options.dataDirectory()
                                + " is that of superpeer "
                                + data.node()
                                + ", and this is superpeer "
                                + index);
            }
            ClusterSecret secret = options.config().net().secret();
            if (data != null && !secret.isNone()) {
                data.check(secret.clusterId());
            }
            Wiring wiring = Wiring.of(options);
            AddressTable addresses = new AddressTable();
            Node.Ground ground = new Node.Ground(options, wiring, addresses, data, null);
            node = new Node(Role.SUPERPEER, index, ground);
            SuperpeerHost host = new SuperpeerHost(options, open(options, data, node.network()));
            node.hosts(host);
            host.start(node, wiring, addresses, data);
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

    private static DirectoryReplica open(
            NodeOptions options, @Nullable DataDirectory data, Network network) {
        if (data == null) {
            if (options.superpeerCount() > 1) {
                throw new StoreException("one of several superpeers needs a data directory");
            }
            return new InMemoryDirectory();
        }
        return RaftDirectory.open(
                data.directory(),
                options.superpeerCount(),
                options.config().net().clusterId(),
                network);
    }

    private void start(
            Node node, Wiring wiring, AddressTable addresses, @Nullable DataDirectory data) {
        long clusterId = found(options.config().joinTimeout());
        if (data != null) {
            data.use(clusterId, options.superpeerIndex(), 0);
            countStart(node);
        }
        run(node, wiring, addresses, options.config());
        node.started();
    }

    private void countStart(Node node) {
        Duration timeout = options.config().joinTimeout();
        long deadline = System.nanoTime() + timeout.toNanos();
        long starts =
                StartCount.next(
                        replica,
                        options.superpeerIndex(),
                        node.starts(),
                        command -> await(command, timeout),
                        () -> System.nanoTime() - deadline >= 0);
        if (starts > node.starts()) {
            node.startedBefore(starts);
        }
    }

    private void run(Node node, Wiring wiring, AddressTable addresses, StoreConfig config) {
        int index = options.superpeerIndex();
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
                        options.superpeerCount(),
                        node::take,
                        wake,
                        System::nanoTime);
        made[0] = superpeer;
        Command register = new Command.RegisterSuperpeer(index, wiring.host(), wiring.port());
        Result _ = await(register, config.joinTimeout());
        superpeer.start();
        superpeer.confirm();
        superpeer.doWork();
        threads.every(threads.agent(), config.heartbeatInterval(), superpeer::doWork);
        if (options.superpeerCount() > 1) {
            threads.every(
                    threads.confirmer(), Superpeer.CONFIRM_WINDOW.dividedBy(4), superpeer::confirm);
            HeartbeatSender heartbeats = node.heartbeats(() -> registerAgain(register));
            threads.every(threads.timer(), config.heartbeatInterval(), heartbeats::doWork);
        }
    }

    /** The cluster's id: that of its secret, or chosen at random if it has none. */
    private long found(Duration timeout) {
        ClusterSecret secret = options.config().net().secret();
        long chosen =
                secret.isNone()
                        ? ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)
                        : secret.clusterId();
        Result _ = await(new Command.FoundCluster(chosen, options.superpeerCount()), timeout);
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
        int superpeers = replica.read(Directory::superpeers);
        if (superpeers != options.superpeerCount()) {
            throw new StoreException(
                    "the cluster was founded with "
                            + superpeers
                            + " superpeers, and this one was started as one of "
                            + options.superpeerCount());
        }
        return clusterId;
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
                last = String.valueOf(RemoteChunks.unwrapped(e).getMessage());
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (TimeoutException e) {
                last = "no majority of superpeers answers";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while starting a superpeer", e);
            }
        }
        throw new StoreException(
                "superpeer "
                        + options.superpeerIndex()
                        + " could not start within "
                        + timeout
                        + ": "
                        + last
                        + (options.superpeers().isEmpty()
                                ? ""
                                : "; the superpeers are to be at "
                                        + Joiner.places(options.superpeers())));
    }

    /** A superpeer that was declared lost while it was silent is a member again. */
    private void registerAgain(Command register) {
        LOG.warn(
                "superpeer {} had been declared lost and registers again",
                options.superpeerIndex());
        var _ =
                replica.apply(register)
                        .exceptionally(failure -> {
                            LOG.debug("could not register again: {}", failure.getMessage());
                            return new Result.Done(false);
                        });
    }
}
