package org.starling.net.internal;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.MalformedMessageException;
import org.starling.net.NetException;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;

/**
 * Opens, retires, loses and closes the links of one network.
 *
 * <p>A link past the limit is <em>retired</em> so that nothing is lost: its ring takes no more
 * frames, the last of them is a goodbye; the peer takes up everything and says farewell; only then
 * is the link closed. Who sends meanwhile gets a new link, which is connected after the farewell,
 * so order is kept, and neither end ever waits for a handler of the other. A node is <em>lost</em>
 * as a whole: both directions go together, once, whoever notices first.
 *
 * <p>Owned by an {@link Messenger}. Thread-safe; {@link #doWork} runs on the receiving thread.
 */
final class Connections {

    private static final Logger LOGGER = LogManager.getLogger(Connections.class);

    /** How long closing waits for peers to take up what was sent. */
    private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often to look for links to be retired while none of those too many can be. */
    private static final long CROWD_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** So many looks in vain, and the next one waits until the receiving thread is awake anyway. */
    private static final int MAX_VAIN_CHECKS = 100;

    private final Messenger messenger;
    private final RequestTable requests;
    private final LongSupplier nanoClock;
    private final Links links = new Links();

    /** Of every peer that has ever connected, so that what is left of a lost link runs first. */
    private final Map<Integer, OrderedLane> lanes = new ConcurrentHashMap<>();

    private final Queue<Link> closedLinks = new ConcurrentLinkedQueue<>();
    private final LossListeners lossListeners;
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong retired = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicInteger vainChecks = new AtomicInteger();

    /** Threads that are making a link, whose memory closing has to give back. */
    private final AtomicInteger making = new AtomicInteger();

    private volatile boolean isCrowded;

    /** Why there are no connections any more, once that is so. */
    private volatile @Nullable String end;

    /** Confined to the receiving thread. */
    private long crowdCheckNanos;

    /** {@code nanoClock} says when to look again for links to be retired. */
    Connections(Messenger messenger, RequestTable requests, LongSupplier nanoClock) {
        this.messenger = messenger;
        this.requests = requests;
        this.nanoClock = nanoClock;
        this.lossListeners = new LossListeners(messenger.workers());
    }

    void onNodeLost(IntConsumer listener) {
        lossListeners.add(listener);
    }

    // ---- links for senders, any thread

    /** The link to a node, made if there is none; connected unless this is the receiving thread. */
    OutgoingLink link(int node) {
        OutgoingLink link = links.existing(node);
        return link != null && link.state() == LinkState.OPEN ? link : open(node);
    }

    /**
     * The link to use after {@code closed} has taken no frame.
     *
     * @param sinceNanos when its sender began
     * @throws NodeLostException when it was lost
     */
    OutgoingLink linkAfter(OutgoingLink closed, long sinceNanos) {
        if (closed.state() == LinkState.LOST) {
            throw closed.lostException();
        }
        long limitNanos = messenger.limits().sendTimeout().toNanos();
        if (System.nanoTime() - sinceNanos > limitNanos) {
            throw new NodeLostException(
                    closed.peer(),
                    "the connection with node %s was closed again and again for %s ms: more nodes are in use than the %s connections that there may be (maxConnections)"
                            .formatted(
                                    closed.peer(),
                                    TimeUnit.NANOSECONDS.toMillis(limitNanos),
                                    messenger.limits().maxConnections()));
        }
        Thread.onSpinWait();
        return link(closed.peer());
    }

    private OutgoingLink open(int node) {
        HandshakeLayout.checkNode(node);
        OutgoingLink link = links.existing(node);
        while (link == null) {
            making.incrementAndGet();
            try {
                link = make(node);
            } finally {
                making.decrementAndGet();
            }
        }
        link.awaitSettled();
        if (link.state() == LinkState.LOST) {
            throw link.lostException();
        }
        return link;
    }

    /** A new link, or the one of a thread that was first. */
    private @Nullable OutgoingLink make(int node) {
        checkNotEnded();
        OutgoingLink made = new OutgoingLink(node, messenger);
        if (!links.add(made)) {
            made.close(LinkState.LOST, "another thread was first");
            made.tryRelease();
            return links.existing(node);
        }
        if (!made.isHeldBack()) {
            connect(made);
        }
        if (end != null) { // who ends all may not have seen it
            lost(made, String.valueOf(end));
        }
        return made;
    }

    private void checkNotEnded() {
        if (isClosed.get()) {
            throw new NetException("the network of node " + messenger.nodeId() + " is closed");
        }
        if (end != null) {
            throw new NetException("node " + messenger.nodeId() + " reaches nobody: " + end);
        }
    }

    private void connect(OutgoingLink link) {
        try {
            messenger.transport().connect(link);
        } catch (NodeUnknownException e) { // no loss: there was nothing to lose
            if (links.remove(link)) {
                finish(link, String.valueOf(e.getMessage()));
            }
            throw e;
        } catch (RuntimeException e) {
            lost(link, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** Breaks the connection with a node, if there is one; listeners here are not told. */
    void disconnect(int node) {
        HandshakeLayout.checkNode(node);
        breakAll(node, "disconnected");
    }

    /** See {@code Network.mayBe}. */
    boolean mayBe(int source, int node) {
        IncomingLink link = links.existingIncoming(source);
        return link != null
                && (!(link.attachment() instanceof EthernetReceiver end) || end.covers(node));
    }

    /** Breaks it unless it is just being made. */
    void renew(int node) {
        HandshakeLayout.checkNode(node);
        OutgoingLink link = links.existing(node);
        if (link != null && link.state() != LinkState.CONNECTING) {
            breakAll(node, "to be made anew");
        }
    }

    // ---- called by the transport

    /** See {@link Messenger#accept}. */
    IncomingLink accept(int peer) {
        Backlog left = links.takeBacklog(peer);
        Backlog backlog = left == null ? newBacklog(peer) : left;
        IncomingLink link = new IncomingLink(peer, messenger, backlog);
        while (!links.add(link)) {
            IncomingLink old = links.existingIncoming(peer);
            if (old != null) {
                lost(old, "it has connected anew");
            }
        }
        if (end != null) { // who ends all may not have seen it
            links.removeAllWith(link).forEach(present -> finish(present, "closed"));
            throw new NodeLostException(
                    messenger.nodeId(), "node " + messenger.nodeId() + " is closed");
        }
        return link;
    }

    private Backlog newBacklog(int peer) {
        Workers workers = messenger.workers();
        return new Backlog(lanes.computeIfAbsent(peer, node -> new OrderedLane(workers)), workers);
    }

    /** See {@link Messenger#opened}. */
    void opened(OutgoingLink link) {
        links.look(); // first: whoever waits for this link goes on to use the others
        link.opened();
        if (surplus() > 0) {
            vainChecks.set(0);
            isCrowded = true;
        }
    }

    /** See {@link Messenger#departed}. */
    void departed(IncomingLink link) {
        if (link.startParting()) {
            if (!link.isLeaving()) {
                links.depart(link); // the place is free before the peer can know
            }
            link.sayFarewell();
            messenger.transport().signal(link);
        }
    }

    /** See {@link Messenger#parted}. */
    void parted(IncomingLink link) {
        if (link.isLeaving()) {
            lose(link, "it has closed its network");
        } else if (link.close()) {
            finish(link, "closed by the peer");
        }
    }

    /** See {@link Messenger#retired}. */
    void retired(OutgoingLink link, long debtBytes) {
        if (!link.endRetirement()) {
            return;
        }
        OutgoingLink next = links.endRetirement(link, debtBytes);
        if (!isClosed.get()) {
            retired.incrementAndGet();
        }
        finish(link, "closed on purpose");
        if (next != null) {
            try {
                connect(next);
            } catch (NetException e) {
                LOGGER.debug("node {} could not connect anew", messenger.nodeId(), e);
            }
        }
    }

    /** See {@link Messenger#lost}. */
    void lost(Link link, String reason) {
        if (!lose(link, reason) && link instanceof IncomingLink in && in.hasParted()) {
            parted(in); // the peer has hung up before this node did
        }
    }

    private boolean lose(Link link, String reason) {
        List<Link> gone = links.removeAllWith(link);
        lose(link.peer(), gone, reason);
        return !gone.isEmpty();
    }

    /** Ends the links of a node that this thread has taken out. */
    private void lose(int node, List<Link> gone, String reason) {
        if (gone.isEmpty()) {
            return;
        }
        boolean isNews = gone.stream().anyMatch(Links::hasCarried);
        end(node, gone, reason);
        lost.incrementAndGet();
        LOGGER.debug("node {} lost node {}: {}", messenger.nodeId(), node, reason);
        if (isNews && !isClosed.get()) {
            lossListeners.tell(node);
        }
    }

    /** See {@link Messenger#malformed}. */
    void malformed(Link link, MalformedMessageException cause) {
        malformed.incrementAndGet();
        LOGGER.warn(
                "node {} closes the connection with node {}: {}",
                messenger.nodeId(),
                link.peer(),
                cause.getMessage());
        lost(link, "it sent malformed bytes: " + cause.getMessage());
    }

    /** See {@link Messenger#refused}. */
    void refused(String reason) {
        refused.incrementAndGet();
        LOGGER.warn("node {} refused a connection: {}", messenger.nodeId(), reason);
    }

    // ---- the receiving thread

    /** Releases closed links and retires those past the limit; returns how much there was to do. */
    int doWork() {
        int work = closedLinks.isEmpty() ? 0 : dispose();
        return isCrowded ? work + retireSurplus() : work;
    }

    private int retireSurplus() {
        long now = nanoClock.getAsLong();
        if (now - crowdCheckNanos < CROWD_CHECK_NANOS) {
            return 0;
        }
        isCrowded = false;
        int surplus = surplus();
        int begun = 0;
        for (OutgoingLink link : surplus > 0 ? links.byUse() : List.<OutgoingLink>of()) {
            if (begun == surplus) {
                break;
            }
            if (mayRetire(link) && link.retire()) {
                links.retire(link);
                messenger.transport().flush(link);
                begun++;
            }
        }
        if (begun < surplus) {
            isCrowded = true;
            crowdCheckNanos = now;
            vainChecks.incrementAndGet();
        }
        return begun;
    }

    /** Whether the receiving thread is to come back soon although nothing happens. */
    boolean isCrowded() {
        return isCrowded && vainChecks.get() < MAX_VAIN_CHECKS;
    }

    /** A link that nobody has used yet is waited for; answers' loss shows by a broken link. */
    private boolean mayRetire(OutgoingLink link) {
        return !isToSelf(link)
                && link.ring().claimedPosition() > 0
                && !requests.hasRequests(link.peer());
    }

    private int surplus() {
        long open =
                links.outgoing()
                        .filter(link -> link.state() == LinkState.OPEN && !isToSelf(link))
                        .count();
        return (int) open - messenger.limits().maxConnections();
    }

    private boolean isToSelf(OutgoingLink link) {
        return link.peer() == messenger.nodeId();
    }

    // ---- the end

    /** Opens and tells nothing any more; false when it was so already. */
    boolean close() {
        return isClosed.compareAndSet(false, true);
    }

    /** Waits until the peers have taken up what was sent, within reason. */
    void takeLeave() {
        long deadline = System.nanoTime() + LEAVE_NANOS;
        Backoff backoff = new Backoff(messenger.config().waiting());
        boolean isLeft = leaveAll();
        while (!isLeft && !messenger.isReceivingThread() && System.nanoTime() - deadline < 0) {
            backoff.pause();
            isLeft = leaveAll();
        }
        backoff.reset();
    }

    private boolean leaveAll() {
        List<OutgoingLink> busy = links.outgoing().filter(link -> !hasLeft(link)).toList();
        links.retiring().forEach(messenger.transport()::flush);
        return busy.isEmpty() && links.retiring().findAny().isEmpty();
    }

    private boolean hasLeft(OutgoingLink link) {
        return switch (link.state()) {
            case CONNECTING -> link.ring().claimedPosition() == 0 && !link.ring().isOverflowing();
            case OPEN -> {
                if (isToSelf(link)) {
                    messenger.transport().flush(link);
                    yield link.isQuiet();
                }
                if (link.leave()) {
                    links.retire(link);
                }
                messenger.transport().flush(link);
                yield false;
            }
            case RETIRING -> false;
            case LOST, RETIRED -> true;
        };
    }

    /** Loses all nodes: this one can't go on. Who waits for something gets the reason. */
    void fail(String reason) {
        end = reason;
        links.nodes().forEach(node -> lose(node, links.removeAll(node), reason));
    }

    /** Breaks all connections, without events. */
    void breakAll() {
        end = "this network is closed";
        links.nodes().forEach(node -> breakAll(node, "this network is closed"));
    }

    private void breakAll(int node, String reason) {
        end(node, links.removeAll(node), reason);
    }

    /** Ends what was taken out of the table, and with it the requests to that node. */
    private void end(int node, List<Link> gone, String reason) {
        gone.forEach(link -> finish(link, reason));
        requests.failAll(
                node,
                lostNode ->
                        new NodeLostException(
                                lostNode, "node " + lostNode + " is lost: " + reason));
    }

    /** Closes a link that has been taken out; its memory goes when nobody uses it any more. */
    private void finish(Link link, String reason) {
        switch (link) {
            case OutgoingLink out -> {
                out.close(LinkState.LOST, reason);
                closedLinks.add(out);
                messenger.transport().disconnect(out);
                links.bury(out);
            }
            case IncomingLink in -> {
                in.close();
                closedLinks.add(in);
                messenger.transport().disconnect(in);
            }
        }
    }

    /** Releases what belongs to the receiving thread; on that thread, or after it has ended. */
    int dispose() {
        int disposed = 0;
        for (Link link = closedLinks.poll(); link != null; link = closedLinks.poll()) {
            switch (link) {
                case OutgoingLink out -> out.dropOverflow();
                case IncomingLink in -> in.release();
            }
            disposed++;
        }
        if (disposed > 0) {
            links.sweep();
        }
        return disposed;
    }

    /** Waits until no sender makes a link or writes into a ring any more, within reason. */
    void awaitSwept() {
        long deadline = System.nanoTime() + SWEEP_NANOS;
        Backoff backoff = new Backoff(messenger.config().waiting());
        while (making.get() > 0 || !links.sweep() || dispose() > 0) {
            if (System.nanoTime() - deadline > 0) {
                LOGGER.warn(
                        "node {} leaves a ring behind: a sender has claimed or connects, and has not ended",
                        messenger.nodeId());
                return;
            }
            backoff.pause();
        }
        backoff.reset();
    }

    // ---- accessors

    Links links() {
        return links;
    }

    long malformedCount() {
        return malformed.get();
    }

    long refusedCount() {
        return refused.get();
    }

    long lostCount() {
        return lost.get();
    }

    long retiredCount() {
        return retired.get();
    }
}
