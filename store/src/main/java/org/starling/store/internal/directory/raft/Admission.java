package org.starling.store.internal.directory.raft;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.ratis.protocol.RaftPeer;
import org.starling.net.Execution;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.store.StartRefusedException;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.raft.RaftMessage.Admit;
import org.starling.store.internal.directory.raft.RaftMessage.Admitted;
import org.starling.store.internal.directory.raft.RaftMessage.Step;

/**
 * How a replica begins whose disk is empty (docs/design/directory.md, "A superpeer whose disk is
 * gone" and "Superpeers come and go"): as one of those that found the cluster, or as one that is
 * new, or has lost what it had promised, and must not vote before it has everything. Serves the
 * questions of others likewise. Owned by its replica; waits on a thread of its own.
 */
final class Admission {
    private static final Logger LOG = LogManager.getLogger(Admission.class);

    /** From one round of questions to the next. */
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    // an answer
    static final byte SILENT = 0;
    static final byte FRESH = 1;
    static final byte FOUNDED = 2;
    static final byte DONE = 3;

    /** Whoever asks was removed from the cluster for good. */
    static final byte REMOVED = 4;

    /** Whoever asks never was a superpeer of the cluster. */
    static final byte UNKNOWN = 5;

    /** What it does to its replica. */
    interface Host {
        /** {@link #FRESH}, {@link #FOUNDED}, or {@link #SILENT} while that is not known. */
        byte standing();

        /** Whether it leads. */
        boolean isLeader();

        /** Those who vote, as far as this replica knows. */
        List<RaftPeer> voters();

        /** Has others vote from now on, if these do; whether that has come to pass. */
        CompletableFuture<Boolean> setVoters(List<RaftPeer> before, List<RaftPeer> after);

        /** Makes sure that it leads; may wait. */
        boolean confirmsLead();

        /** The superpeers, of a founded cluster. */
        List<SuperpeerInfo> superpeers();

        /** Whether a node was removed for good, or is about to be. */
        boolean isRemoved(int node);
    }

    private final Network network;
    private final KnownSuperpeers known;
    private final Host host;
    private final BooleanSupplier isOver;

    Admission(Network network, KnownSuperpeers known, Host host, BooleanSupplier isOver) {
        this.network = network;
        this.known = known;
        this.host = host;
        this.isOver = isOver;
    }

    void serve() {
        network.serveAsync(RaftMessage.ADMIT, Execution.WORKER, this::asked);
    }

    /**
     * Waits until so many others have answered that they could found a cluster with this one, or
     * one of them belongs to a founded one.
     *
     * @param superpeers how many found it; their ids are the first
     * @return whether this replica was one of those and has lost its disk, or comes late
     */
    boolean isLate(int superpeers) {
        while (!isOver.getAsBoolean()) {
            int fresh = 0;
            for (int other = 0; other < superpeers; other++) {
                byte answer = other == network.nodeId() ? SILENT : ask(other, Step.LOOK);
                if (answer >= FOUNDED) {
                    return true;
                }
                fresh += answer == FRESH ? 1 : 0;
            }
            if (fresh >= superpeers / 2) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    /**
     * Until the leader has done a step; false if it is over before.
     *
     * @throws StartRefusedException if this is no superpeer of the cluster
     */
    boolean await(Step step) {
        LOG.debug("superpeer {} asks for {}", network.nodeId(), step);
        while (!isOver.getAsBoolean()) {
            if (step == Step.TAKE_IN && host.isLeader()) {
                return true; // of those who vote
            }
            for (int other : known.all()) {
                byte answer = other == network.nodeId() ? SILENT : ask(other, step);
                if (answer == DONE) {
                    return true;
                }
                refuse(answer);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    /** Asks all that are known who the superpeers are. */
    void look() {
        known.all().stream()
                .filter(other -> other != network.nodeId())
                .forEach(other -> ask(other, Step.LOOK));
    }

    private void refuse(byte answer) {
        if (answer == REMOVED) {
            throw new StartRefusedException(
                    "superpeer "
                            + network.nodeId()
                            + " was removed from this cluster for good; to have this node taken in as"
                            + " another one, give it an empty data directory and leave it out of its"
                            + " own --seeds");
        }
        if (answer == UNKNOWN) {
            throw new StartRefusedException(
                    "this cluster has no superpeer "
                            + network.nodeId()
                            + "; to have this one taken in, leave it out of its own --seeds");
        }
    }

    private byte ask(int other, Step step) {
        try {
            Admitted answer = network.call(other, new Admit(step), RaftSettings.REQUEST_PATIENCE);
            known.learn(answer.superpeers());
            return answer.answer();
        } catch (NetException e) {
            LOG.debug("superpeer {} does not answer: {}", other, e.getMessage());
            return SILENT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return SILENT;
        }
    }

    private void asked(int source, Admit question, Responder<Admitted> responder) {
        if (source == network.nodeId()) {
            responder.respond(reply(SILENT));
            return;
        }
        if (!known.contains(source)) {
            onItsOwn(() -> responder.respond(reply(ofStranger(source))));
            return;
        }
        switch (question.step()) {
            case LOOK -> responder.respond(new Admitted(host.standing(), host.superpeers()));
            case LEAVE_OUT -> change(source, false, responder);
            case TAKE_IN -> change(source, true, responder);
        }
    }

    /** Only who leads knows, and has applied all that says of newcomers. May wait. */
    private byte ofStranger(int source) {
        if (host.isRemoved(source)) {
            return REMOVED;
        }
        boolean isSure = host.standing() == FOUNDED && host.isLeader() && host.confirmsLead();
        return isSure && !known.contains(source) ? UNKNOWN : SILENT;
    }

    private void change(int source, boolean votes, Responder<Admitted> responder) {
        if (!host.isLeader()) {
            responder.respond(reply(SILENT));
            return;
        }
        known.require(); // a group that it could not find again after a restart is not made
        List<RaftPeer> before = host.voters(); // of several who ask at once, one is to ask again
        if (host.isRemoved(source)) { // now that it is known from what it may be missing
            responder.respond(reply(REMOVED));
            return;
        }
        CompletableFuture<?> _ =
                change(before, source, votes)
                        .thenAccept(done ->
                                responder.respond(
                                        new Admitted(done ? DONE : SILENT, host.superpeers())));
    }

    /** Has one vote no more; whether it does not. */
    CompletableFuture<Boolean> drop(int superpeer) {
        return change(host.voters(), superpeer, false);
    }

    private CompletableFuture<Boolean> change(List<RaftPeer> before, int node, boolean votes) {
        RaftPeer peer = RaftPeer.newBuilder().setId(RaftNames.peer(node)).build();
        Predicate<RaftPeer> isPeer = each -> each.getId().equals(peer.getId());
        List<RaftPeer> after = new ArrayList<>(before);
        after.removeIf(isPeer);
        if (votes) {
            after.add(peer);
        }
        if (after.isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        // Where nothing is to be changed the library asks nobody, though others may lead by now.
        return host.setVoters(before, after)
                .thenApplyAsync(done -> done && host.confirmsLead(), Admission::onItsOwn)
                .thenApply(done -> {
                    if (done && votes != before.stream().anyMatch(isPeer)) {
                        LOG.info(
                                "superpeer {} {}",
                                node,
                                votes ? "has everything and votes" : "votes no more");
                    }
                    return done;
                });
    }

    private static void onItsOwn(Runnable task) {
        Thread.ofVirtual().name("directory-admission").start(task);
    }

    private static Admitted reply(byte answer) {
        return new Admitted(answer, List.of());
    }
}
