package org.starling.net.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetConfig;

/**
 * A peer that connects, says goodbye and is lost, all at once, for Lincheck. What a departed
 * connection has left goes to the next one, once; nothing that was lost goes on; the peer is never
 * kept from connecting anew.
 *
 * <p>The peer keeps to the protocol: it connects anew only after its last connection has departed
 * or was lost.
 */
public abstract class IncomingLinksScenario {

    private static final int PEER = 2;
    private static final int MAX_LINKS = 16;

    private static final Messenger MESSENGER =
            new Messenger(1, new DeafTransport(link -> {}), NetConfig.defaults(), Limits.DEFAULTS);

    final Links links = new Links();

    /** Whether the peer has no connection to this node, and so may make one. */
    private final AtomicBoolean mayConnect = new AtomicBoolean(true);

    private final AtomicInteger departures = new AtomicInteger();
    private final AtomicInteger takenBacklogs = new AtomicInteger();
    private final AtomicInteger lostCount = new AtomicInteger();

    /** Element i is written by the thread that drew i. */
    private final Backlog[] lost = new Backlog[MAX_LINKS];

    /** The peer connects; as {@link Connections#accept} takes it. */
    @Operation
    public void accept() {
        if (!mayConnect.compareAndSet(true, false)) {
            return;
        }
        Backlog left = takeBacklog();
        if (left != null) {
            takenBacklogs.incrementAndGet();
            for (int i = 0; i < lostCount.get(); i++) {
                if (left.equals(lost[i])) {
                    throw new IllegalStateException("what was lost goes on");
                }
            }
        }
        Backlog backlog =
                left == null ? new Backlog(new OrderedLane(Runnable::run), Runnable::run) : left;
        if (!links.add(new IncomingLink(PEER, MESSENGER, backlog))) {
            throw new IllegalStateException("the peer has two connections");
        }
    }

    /** The peer's goodbye has come; as {@link Connections#departed} takes it. */
    @Operation(nonParallelGroup = "receiving thread")
    public void depart() {
        IncomingLink link = links.existingIncoming(PEER);
        if (link != null && link.startParting()) {
            depart(link);
            if (link.close()) { // or it has been lost meanwhile
                departures.incrementAndGet();
                mayConnect.set(true);
            }
        }
    }

    /** Somebody sees the connection lost. */
    @Operation
    public void lose() {
        IncomingLink seen = links.existingIncoming(PEER);
        if (seen == null || removeAllWith(seen).isEmpty()) {
            return;
        }
        lost[lostCount.getAndIncrement()] = seen.backlog();
        if (seen.close()) { // or it is departing
            mayConnect.set(true);
        }
    }

    /** Checks the promise. */
    @Validate
    public void nothingIsLeftBehind() {
        int left = takeBacklog() == null ? 0 : 1;
        if (lostCount.get() == 0 && departures.get() != takenBacklogs.get() + left) {
            throw new IllegalStateException(
                    departures + " have departed, " + takenBacklogs + " backlogs went on");
        }
        if (mayConnect.get() != (links.existingIncoming(PEER) == null)) {
            throw new IllegalStateException("the table and the peer see it differently");
        }
    }

    @Nullable Backlog takeBacklog() {
        return links.takeBacklog(PEER);
    }

    void depart(IncomingLink link) {
        links.depart(link);
    }

    List<Link> removeAllWith(IncomingLink link) {
        return links.removeAllWith(link);
    }

    /** The table itself. */
    public static final class Real extends IncomingLinksScenario {}

    /** A table that looks whether a link is in place and then files what it leaves. */
    public static final class FilesTooLate extends IncomingLinksScenario {
        private final AtomicReference<@Nullable Backlog> filed = new AtomicReference<>();

        @Override
        @Nullable Backlog takeBacklog() {
            return filed.getAndSet(null);
        }

        @Override
        void depart(IncomingLink link) {
            if (links.isInPlace(link)) {
                filed.set(link.backlog());
            }
            links.depart(link);
        }

        @Override
        List<Link> removeAllWith(IncomingLink link) {
            List<Link> gone = links.removeAllWith(link);
            if (!gone.isEmpty()) {
                filed.set(null);
            }
            return gone;
        }
    }
}
