package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.RequestTimeoutException;
import org.starling.store.StoreConfig;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.HeartbeatReply;

/**
 * Tells the leading superpeer that this node lives, and takes the lease and the news that come
 * back. Stepped by the node's timer; answers come in on the receiving thread. A superpeer that does
 * not answer is left for the next; a single one is taken for lost until it answers again.
 */
final class HeartbeatSender {
    /** What an answer is good for. */
    interface Listener {
        /** The node is a member, may serve until then, and there may be news. */
        void replied(HeartbeatReply reply, long leaseUntilNanos);

        /** The node has been declared lost. */
        void expelled();

        /** The node was a superpeer, and is none any more. */
        void removed();
    }

    private static final Logger LOG = LogManager.getLogger(HeartbeatSender.class);

    private final Asker asker;
    private final NodeTransport transport;
    private final int incarnation;
    private final LeaderGuess leader;
    private final StoreConfig config;
    private final MemberView members;
    private final Listener listener;
    private final LongSupplier freeBytes;
    private final LongSupplier nanoClock;

    /**
     * When the superpeer last answered. Published by being volatile; written by the receiving
     * thread.
     */
    private volatile long answeredNanos;

    HeartbeatSender(
            Asker asker,
            NodeTransport transport,
            int incarnation,
            LeaderGuess leader,
            StoreConfig config,
            MemberView members,
            Listener listener,
            LongSupplier freeBytes,
            LongSupplier nanoClock) {
        this.asker = asker;
        this.transport = transport;
        this.incarnation = incarnation;
        this.leader = leader;
        this.config = config;
        this.members = members;
        this.listener = listener;
        this.freeBytes = freeBytes;
        this.nanoClock = nanoClock;
        answeredNanos = nanoClock.getAsLong();
    }

    /**
     * Sends one heartbeat; completes when its answer has been taken, with whether it came from the
     * leader. Never waits.
     */
    CompletableFuture<Boolean> beat() {
        int asked = leader.current();
        // The lease counts from before the heartbeat leaves.
        long sentNanos = nanoClock.getAsLong();
        Heartbeat heartbeat =
                new Heartbeat(
                        members.version(),
                        transport.host(),
                        transport.port(),
                        incarnation,
                        freeBytes.getAsLong());
        return asker.ask(asked, heartbeat, patience())
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        failed(asked, sentNanos, RemoteChunks.unwrapped(failure));
                    }
                })
                .thenApply(reply -> take(asked, sentNanos, reply));
    }

    /** How long one superpeer gets for an answer. */
    private Duration patience() {
        return leader.isSingle()
                ? config.lossTimeout()
                : config.heartbeatInterval().multipliedBy(2);
    }

    /**
     * Silence may be that of a connection: after a partition TCP tries again less and less often,
     * and the two nodes would not hear of each other for as long again as they were apart.
     */
    private void failed(int asked, long sentNanos, Throwable failure) {
        leader.failed(asked);
        if (failure instanceof RequestTimeoutException && answeredNanos - sentNanos < 0) {
            asker.connectAnew(asked);
        }
    }

    /** One step: looks whether the superpeer has been silent for too long, and beats. */
    void doWork() {
        if (leader.isSingle()
                && nanoClock.getAsLong() - answeredNanos > config.lossTimeout().toNanos()) {
            members.superpeerLost();
        }
        CompletableFuture<Boolean> _ =
                beat().exceptionally(failure -> {
                    LOG.debug("no answer to a heartbeat: {}", failure.getMessage());
                    return false;
                });
    }

    private boolean take(int asked, long sentNanos, HeartbeatReply reply) {
        return switch (reply.standing()) {
            case NOT_LEADER -> {
                if (!leader.knows(reply.leaders().leader())) {
                    members.meet(reply.superpeers());
                }
                if (leader.redirect(asked, reply.leaders().leader())) {
                    CompletableFuture<Void> _ =
                            CompletableFuture.runAsync(this::beatOnce, Asker.THREADS);
                }
                yield false;
            }
            case STRANGER -> {
                leader.leads(asked);
                listener.expelled();
                yield true;
            }
            case REMOVED -> {
                listener.removed();
                yield true;
            }
            case MEMBER -> {
                leader.leads(asked);
                answeredNanos = nanoClock.getAsLong();
                long leaseNanos = Duration.ofMillis(reply.leaseMillis()).toNanos();
                listener.replied(reply, sentNanos + leaseNanos);
                yield true;
            }
        };
    }

    /** To the one who was named, without waiting for the next tick. */
    private void beatOnce() {
        CompletableFuture<Boolean> _ =
                beat().exceptionally(failure -> {
                    LOG.debug("no answer to a redirected heartbeat: {}", failure.getMessage());
                    return false;
                });
    }
}
