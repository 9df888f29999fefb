package org.starling.net.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.starling.net.TestLimits;

/**
 * Senders that open the links to one node, its farewells and its loss, all at once, for Lincheck.
 * Every link is connected at most once and never while the one before it is there; one that is in
 * place is connected or waits for the one before it; it is lost at most once; what the peer was not
 * done with when a link ended counts against the window of the next one.
 */
public abstract class OutgoingLinksScenario {

    private static final int PEER = 2;
    private static final int MAX_LINKS = 16;
    private static final int DEBT_BYTES = 8;

    private static final Messenger MESSENGER =
            TestLimits.defaults()
                    .withRingBytes(Limits.MIN_BUFFER_BYTES)
                    .messenger(1, new DeafTransport(link -> {}));

    /** What has happened to an outgoing link; it is the link's attachment. */
    private static final class Fate {
        private final AtomicInteger connects = new AtomicInteger();
        private final AtomicInteger losses = new AtomicInteger();
        private volatile boolean hasRetired;
    }

    final Links links = new Links();

    /** Element i is written by the thread that drew i. */
    private final OutgoingLink[] made = new OutgoingLink[MAX_LINKS];

    private final AtomicInteger madeCount = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();

    /** Farewells come one after the other, as there is one retiring link at most. */
    private final AtomicLong lastDebt = new AtomicLong();

    /** Has said goodbye and is or was in the table. */
    private volatile @Nullable OutgoingLink lastRetired;

    /** A sender needs a link; as {@link Connections#link} does it. */
    @Operation
    public void open() {
        if (links.existing(PEER) != null) {
            return;
        }
        OutgoingLink link = new OutgoingLink(PEER, MESSENGER);
        link.attach(new Fate());
        made[madeCount.getAndIncrement()] = link;
        Added added = add(link);
        if (added == Added.CONNECT_NOW) {
            connect(link);
        } else if (added == Added.NOT) {
            fate(link).losses.incrementAndGet();
        }
    }

    /** The receiving thread says goodbye. */
    @Operation(nonParallelGroup = "receiving thread")
    public void retire() {
        OutgoingLink link = links.existing(PEER);
        if (link != null && link.retire()) {
            lastRetired = link;
            links.retire(link);
        }
    }

    /** The peer says farewell; as {@link Connections#retired} takes it. */
    @Operation
    public void farewell() {
        OutgoingLink link = retiring();
        if (link == null) {
            link = links.existing(PEER); // its goodbye may have left and not be filed
        }
        if (link == null || !link.endRetirement()) {
            return;
        }
        fate(link).hasRetired = true;
        OutgoingLink next = links.endRetirement(link, lastDebt.addAndGet(DEBT_BYTES));
        if (next != null) {
            connect(next);
        }
    }

    /** Somebody sees the node lost, by one of its links. */
    @Operation
    public void lose() {
        OutgoingLink seen = links.existing(PEER);
        if (seen == null) {
            seen = retiring();
        }
        if (seen == null) {
            return;
        }
        for (Link link : removeAllWith(seen)) {
            losses.incrementAndGet();
            OutgoingLink out = (OutgoingLink) link;
            if (fate(out).losses.incrementAndGet() > 1) {
                throw new IllegalStateException("a link was lost twice");
            }
            out.close(LinkState.LOST, "lost");
        }
    }

    // ---- the promise
    // ------------------------------------------------------------------------------------------

    /** Checks the promise. */
    @Validate
    public void noLinkIsForgotten() {
        OutgoingLink present = links.existing(PEER);
        for (int i = 0; i < madeCount.get(); i++) {
            check(made[i], present);
        }
        if (losses.get() == 0) {
            checkDebt(present);
        }
        for (int i = 0; i < madeCount.get(); i++) {
            made[i].close(LinkState.LOST, "over");
            if (!made[i].tryRelease()) {
                throw new IllegalStateException("a ring is still in use");
            }
        }
    }

    private void check(OutgoingLink link, @Nullable OutgoingLink present) {
        Fate fate = fate(link);
        boolean isPresent = link.equals(present);
        boolean isRetiring = link.equals(retiring());
        boolean isGone = fate.losses.get() > 0 || fate.hasRetired;
        if ((isPresent || isRetiring) == isGone) {
            throw new IllegalStateException("a link is in the table and gone, or neither");
        }
        if (isPresent && fate.connects.get() != (retiring() == null ? 1 : 0)) {
            throw new IllegalStateException("connected " + fate.connects + " times");
        }
    }

    /** What the last one owed counts against the window of the one that came after it. */
    private void checkDebt(@Nullable OutgoingLink present) {
        if (present != null && retiring() == null) {
            long carried = present.unconfirmedBytes() - present.ring().claimedPosition();
            if (carried != lastDebt.get()) {
                throw new IllegalStateException("carries " + carried + " of " + lastDebt);
            }
        }
    }

    private void connect(OutgoingLink link) {
        if (fate(link).connects.incrementAndGet() > 1) {
            throw new IllegalStateException("a link is connected twice");
        }
        // What is out stays out: both were in the table when the other one was seen.
        if (retiring() != null && links.isInPlace(link)) {
            throw new IllegalStateException("a link overtakes the one before it");
        }
        link.opened();
    }

    /** The link that waits for a farewell, if any; streams of the table take Lincheck long. */
    final @Nullable OutgoingLink retiring() {
        OutgoingLink link = lastRetired;
        return link != null && links.isInPlace(link) && !link.equals(links.existing(PEER))
                ? link
                : null;
    }

    private static Fate fate(OutgoingLink link) {
        if (link.attachment() instanceof Fate fate) {
            return fate;
        }
        throw new IllegalStateException("nobody has made this link");
    }

    /** What became of a link that was to be put in place. */
    enum Added {
        NOT,
        CONNECT_NOW,
        HELD_BACK
    }

    Added add(OutgoingLink link) {
        if (!links.add(link)) {
            return Added.NOT;
        }
        return link.isHeldBack() ? Added.HELD_BACK : Added.CONNECT_NOW;
    }

    List<Link> removeAllWith(Link link) {
        return links.removeAllWith(link);
    }

    /** The table itself. */
    public static final class Real extends OutgoingLinksScenario {}

    /** A table that looks for a retiring link first and then puts the new one in place. */
    public static final class LooksBeforeItAdds extends OutgoingLinksScenario {
        @Override
        Added add(OutgoingLink link) {
            boolean isFree = retiring() == null;
            if (!links.add(link)) {
                return Added.NOT;
            }
            return isFree ? Added.CONNECT_NOW : Added.HELD_BACK;
        }
    }

    /** A table of which two that see the same loss may take the same link out. */
    public static final class LosesTwice extends OutgoingLinksScenario {
        @Override
        List<Link> removeAllWith(Link link) {
            OutgoingLink present = links.existing(PEER);
            boolean isInPlace = links.isInPlace(link);
            List<Link> gone = new ArrayList<>(links.removeAll(PEER));
            if (isInPlace && present != null && !gone.contains(present)) {
                gone.add(present);
            }
            return gone;
        }
    }
}
