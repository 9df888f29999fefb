package org.starling.store.internal.node;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.Network;
import org.starling.store.StoreConfig;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.Pulse;

/**
 * Tells the superpeer that this peer lives, and takes the news that come back. Stepped by the
 * node's timer; answers come in on the receiving thread. A superpeer that does not answer for the
 * loss time-out is taken for lost until it answers again.
 */
final class HeartbeatSender {
    private static final Logger LOG = LogManager.getLogger(HeartbeatSender.class);

    private final Network network;
    private final StoreConfig config;
    private final MemberView members;
    private final Locations locations;
    private final Runnable expelled;
    private final LongSupplier nanoClock;

    /**
     * When the superpeer last answered. Published by being volatile; written by the receiving
     * thread.
     */
    private volatile long answeredNanos;

    HeartbeatSender(
            Network network,
            StoreConfig config,
            MemberView members,
            Locations locations,
            Runnable expelled,
            LongSupplier nanoClock) {
        this.network = network;
        this.config = config;
        this.members = members;
        this.locations = locations;
        this.expelled = expelled;
        this.nanoClock = nanoClock;
        answeredNanos = nanoClock.getAsLong();
    }

    /** Sends one heartbeat; completes when its answer has been taken. Never waits. */
    CompletableFuture<Void> beat() {
        CompletableFuture<Pulse> answer =
                network.request(
                        Node.SUPERPEER, new Heartbeat(members.version()), config.lossTimeout());
        return answer.thenAccept(this::take);
    }

    /** One step: looks whether the superpeer has been silent for too long, and beats. */
    void doWork() {
        if (nanoClock.getAsLong() - answeredNanos > config.lossTimeout().toNanos()) {
            members.superpeerLost();
        }
        CompletableFuture<Void> _ =
                beat().exceptionally(failure -> {
                    LOG.debug("no answer to a heartbeat: {}", failure.getMessage());
                    return null;
                });
    }

    private void take(Pulse pulse) {
        answeredNanos = nanoClock.getAsLong();
        if (!pulse.everyCreatorOwns()) {
            locations.someMoved();
        }
        if (!pulse.isMember()) {
            expelled.run();
        } else if (pulse.newer() != null) {
            members.update(pulse.newer());
        }
    }
}
