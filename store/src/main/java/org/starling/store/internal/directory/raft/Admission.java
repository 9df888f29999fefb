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
import org.starling.store.internal.directory.raft.RaftMessage.Admit;
import org.starling.store.internal.directory.raft.RaftMessage.Reply;
import org.starling.store.internal.directory.raft.RaftMessage.Step;

/**
 * How a replica begins whose disk is empty (docs/design/directory.md, "A superpeer whose disk is
 * gone"): as one of those that found the cluster, or as one that has lost what it had promised, and
 * must not vote before it has everything. Serves the questions of others likewise. Owned by its
 * replica; waits on a thread of its own.
 */
final class Admission {
    private static final Logger LOG = LogManager.getLogger(Admission.class);

    /** From one round of questions to the next. */
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    // the one byte of an answer
    static final byte SILENT = 0;
    static final byte FRESH = 1;
    static final byte FOUNDED = 2;
    static final byte DONE = 3;

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
    }

    private final Network network;
    private final int superpeers;
    private final Host host;
    private final BooleanSupplier isOver;

    Admission(Network network, int superpeers, Host host, BooleanSupplier isOver) {
        this.network = network;
        this.superpeers = superpeers;
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
     * @return whether this replica was one of those and has lost its disk, or comes late
     */
    boolean isLate() {
        while (!isOver.getAsBoolean()) {
            int fresh = 0;
            for (int other = 0; other < superpeers; other++) {
                byte answer = other == network.nodeId() ? SILENT : ask(other, Step.LOOK);
                if (answer == FOUNDED) {
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

    /** Until the leader has done a step; false if it is over before. */
    boolean await(Step step) {
        LOG.debug("superpeer {} asks for {}", network.nodeId(), step);
        while (!isOver.getAsBoolean()) {
            for (int other = 0; other < superpeers; other++) {
                if (other != network.nodeId() && ask(other, step) == DONE) {
                    return true;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    private byte ask(int other, Step step) {
        try {
            byte[] answer =
                    network.call(other, new Admit(step), RaftSettings.REQUEST_PATIENCE).body();
            return answer.length == 1 ? answer[0] : SILENT;
        } catch (NetException e) {
            LOG.debug("superpeer {} does not answer: {}", other, e.getMessage());
            return SILENT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return SILENT;
        }
    }

    private void asked(int source, Admit question, Responder<Reply> responder) {
        if (source >= superpeers || source == network.nodeId()) {
            responder.respond(reply(SILENT));
            return;
        }
        switch (question.step()) {
            case LOOK -> responder.respond(reply(host.standing()));
            case LEAVE_OUT -> change(source, false, responder);
            case TAKE_IN -> change(source, true, responder);
        }
    }

    private void change(int source, boolean votes, Responder<Reply> responder) {
        if (!host.isLeader()) {
            responder.respond(reply(SILENT));
            return;
        }
        RaftPeer peer = RaftPeer.newBuilder().setId(RaftNames.peer(source)).build();
        Predicate<RaftPeer> isPeer = each -> each.getId().equals(peer.getId());
        List<RaftPeer> before = host.voters(); // of several who ask at once, one is to ask again
        List<RaftPeer> after = new ArrayList<>(before);
        after.removeIf(isPeer);
        if (votes) {
            after.add(peer);
        }
        // Where nothing is to be changed the library asks nobody, though others may lead by now.
        CompletableFuture<?> _ =
                host.setVoters(before, after)
                        .thenApplyAsync(done -> done && host.confirmsLead(), Admission::onItsOwn)
                        .thenAccept(done -> {
                            if (done && votes != before.stream().anyMatch(isPeer)) {
                                LOG.info(
                                        "superpeer {} {}",
                                        source,
                                        votes
                                                ? "has everything and votes"
                                                : "begins with an empty disk and votes no more");
                            }
                            responder.respond(reply(done ? DONE : SILENT));
                        });
    }

    private static void onItsOwn(Runnable task) {
        Thread.ofVirtual().name("directory-admission").start(task);
    }

    private static Reply reply(byte answer) {
        return new Reply(new byte[] {answer});
    }
}
