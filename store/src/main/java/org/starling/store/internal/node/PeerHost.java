package org.starling.store.internal.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.log.BackupLogs;
import org.starling.store.internal.node.NodeMessage.Joined;

/**
 * Starts a peer: opens its data directory, gets a node id, marks the directory with it, and makes
 * the node a member that others see. Nothing is left behind if one of the steps fails. Confined to
 * the starting thread.
 */
final class PeerHost {
    private static final Logger LOG = LogManager.getLogger(PeerHost.class);

    /** From one first heartbeat to the next. */
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private PeerHost() {}

    /** The node was declared lost before it was a member; another one may have more luck. */
    private static final class LostWhileJoiningException extends StoreException {
        private static final long serialVersionUID = 1;

        LostWhileJoiningException(int node, @Nullable Throwable cause) {
            super("node " + node + " was declared lost while it joined", cause);
        }
    }

    /**
     * Starts a peer. One that is declared lost before it is a member, as on a machine that has no
     * time for it, begins anew until the join time-out is over.
     */
    static Node start(NodeOptions options) {
        long deadline = System.nanoTime() + options.config().joinTimeout().toNanos();
        while (true) {
            try {
                return startOnce(options);
            } catch (LostWhileJoiningException lost) {
                if (System.nanoTime() - deadline >= 0) {
                    throw lost;
                }
                LOG.warn("{}; it begins anew", lost.getMessage());
            }
        }
    }

    private static Node startOnce(NodeOptions options) {
        NodeTransport transport = NodeTransport.of(options);
        DataDirectory data =
                options.dataDirectory() == null
                        ? null
                        : DataDirectory.open(options.dataDirectory(), Role.PEER);
        BackupLogs logs = null;
        Node node;
        Joined joined;
        try {
            logs =
                    data == null
                            ? null
                            : BackupLogs.open(data.backups(), Storage.logConfig(options.config()));
            joined = registered(options, transport, data);
            AddressTable addresses = new AddressTable();
            addresses.put(joined.node(), joined.incarnation(), "", 0);
            Node.Ground ground =
                    new Node.Ground(
                            options,
                            transport,
                            addresses,
                            superpeers(options, joined, addresses),
                            data,
                            logs);
            node = new Node(Role.PEER, joined.node(), ground);
        } catch (RuntimeException e) {
            if (logs != null) {
                logs.close();
            }
            if (data != null) {
                data.close();
            }
            throw e;
        }
        join(node, joined.firstZone());
        return node;
    }

    /** Of those that have not said where they are, the options may know it. */
    private static LeaderGuess superpeers(
            NodeOptions options, Joined joined, AddressTable addresses) {
        List<SuperpeerInfo> superpeers = joined.superpeers();
        if (superpeers.stream().anyMatch(one -> one.host().isEmpty())) {
            addresses.putSuperpeers(options.superpeers());
        }
        superpeers.forEach(addresses::put);
        return new LeaderGuess(
                superpeers.stream().map(SuperpeerInfo::node).toList(), joined.leader());
    }

    private static Joined registered(
            NodeOptions options, NodeTransport transport, @Nullable DataDirectory data) {
        if (data != null && data.unansweredNonce() != 0) {
            // The id of that registration may stand for this directory's logs, so it comes first.
            register(options, transport, data, data.unansweredNonce());
        }
        long nonce = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        return register(options, transport, data, nonce);
    }

    private static Joined register(
            NodeOptions options,
            NodeTransport transport,
            @Nullable DataDirectory data,
            long nonce) {
        if (data != null) {
            data.registering(nonce);
        }
        Joined joined = new Joiner(options, transport, data, nonce, System::nanoTime).join();
        if (data != null && joined.isForgotten()) {
            LOG.warn(
                    "node {}, whose data directory this was, has been removed from the cluster for"
                            + " good: what is in it counts for nothing, and this node begins empty"
                            + " as node {}",
                    data.node(),
                    joined.node());
        }
        if (data != null) {
            data.use(joined.clusterId(), joined.node(), joined.incarnation());
        }
        return joined;
    }

    /** The first heartbeat makes the node visible to the others and brings the members. */
    private static void join(Node node, int firstZone) {
        StoreConfig config = node.config();
        HeartbeatSender heartbeats = node.heartbeats(node::expelled);
        Storage storage = node.storage();
        if (storage != null) {
            storage.start(firstZone);
        }
        long deadline = System.nanoTime() + config.joinTimeout().toNanos();
        Throwable last = null;
        while (!node.isExpelled() && System.nanoTime() - deadline < 0) {
            try {
                long leftNanos = Math.max(1, deadline - System.nanoTime());
                boolean isAnswered = heartbeats.beat().get(leftNanos, TimeUnit.NANOSECONDS);
                if (isAnswered && !node.isExpelled()) {
                    Threads threads = node.threads();
                    threads.every(threads.timer(), config.heartbeatInterval(), heartbeats::doWork);
                    node.started();
                    return;
                }
            } catch (InterruptedException e) {
                node.close();
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while joining", e);
            } catch (RejectedExecutionException e) {
                last = e; // declared lost meanwhile, so it closes
                break;
            } catch (ExecutionException | TimeoutException e) {
                last = e;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        close(node);
        if (node.isExpelled()) {
            throw new LostWhileJoiningException(node.nodeId(), last);
        }
        throw new StoreException(
                "node "
                        + node.nodeId()
                        + " was registered, but its first heartbeat was not answered",
                last);
    }

    /** Closes a node that could not join; its folder is free then, so that another one can try. */
    private static void close(Node node) {
        node.close();
        if (!node.isExpelled()) {
            return;
        }
        CountDownLatch closed = new CountDownLatch(1); // by a thread of its own
        node.onExpelled(closed::countDown);
        try {
            if (!closed.await(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("node {} is not closed within {}", node.nodeId(), CLOSE_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
