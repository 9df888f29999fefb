package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Senders that commit and tell nobody while their link is deferred, and the receiving thread, for
 * Lincheck. When the receiving thread holds no link any more and so may sleep, nothing committed is
 * left behind.
 *
 * <p>A commit is a release store, which others may see later than the sender reads what comes after
 * it in its program; so here the read comes first.
 */
public abstract class DeferredLinksScenario {

    /** As {@link OutgoingLink} does it. */
    static class FakeLink implements Deferrable {
        private final AtomicBoolean isDeferred = new AtomicBoolean();
        private final AtomicInteger claimed = new AtomicInteger();
        private final AtomicInteger committed = new AtomicInteger();

        // Confined to the receiving thread.
        private int taken;
        private int seenClaimed;

        @Override
        public boolean defer() {
            return isDeferred.compareAndSet(false, true);
        }

        @Override
        public void endDeferral() {
            isDeferred.set(false);
        }

        @Override
        public boolean touch() {
            return true;
        }

        @Override
        public void endTouch() {}

        @Override
        public boolean isSettled() {
            return claimed.get() == taken;
        }

        @Override
        public long look() {
            int growth = claimed.get() - seenClaimed;
            seenClaimed += growth;
            return growth;
        }

        @Override
        public boolean hasSentSinceLook() {
            return false;
        }

        int take() {
            int fresh = committed.get() - taken;
            taken += fresh;
            return fresh;
        }
    }

    /** Ends the deferral only after the last look: a commit in between is left behind. */
    private static final class LooksTooEarlyLink extends FakeLink {
        @Override
        public void endDeferral() {}

        @Override
        public boolean isSettled() {
            boolean isSettled = super.isSettled();
            super.endDeferral();
            return isSettled;
        }
    }

    /** Forgets claims that are not committed: their senders may still take it for deferred. */
    private static final class ForgetsClaimsLink extends FakeLink {
        @Override
        public boolean isSettled() {
            return true;
        }
    }

    private final AtomicLong clock = new AtomicLong();
    private final DeferredLinks<FakeLink> links =
            new DeferredLinks<>(true, () -> clock.addAndGet(DeferredLinks.MAX_LINGER_NANOS));
    private final FakeLink link;

    DeferredLinksScenario(FakeLink link) {
        this.link = link;
    }

    /** As a transport's signal does it. */
    @Operation
    public void send() {
        link.claimed.incrementAndGet();
        boolean isDeferred = link.isDeferred.get();
        link.committed.incrementAndGet();
        if (!isDeferred) {
            links.offer(link);
        }
    }

    /** A round of the receiving thread; every other one looks. */
    @Operation(nonParallelGroup = "receiving thread")
    public void receive() {
        links.drain(FakeLink::take);
        links.drain(FakeLink::take);
        links.drain(FakeLink::take);
    }

    /** Checks the promise. */
    @Validate
    public void nothingIsLeftBehind() {
        if (links.isEmpty() && link.taken != link.committed.get()) {
            throw new IllegalStateException(
                    "committed " + link.committed.get() + ", taken " + link.taken);
        }
    }

    /** The link as it is promised. */
    public static final class Real extends DeferredLinksScenario {
        public Real() {
            super(new FakeLink());
        }
    }

    /** Looks, then ends the deferral. */
    public static final class LooksTooEarly extends DeferredLinksScenario {
        public LooksTooEarly() {
            super(new LooksTooEarlyLink());
        }
    }

    /** Sleeps over what is claimed and not committed. */
    public static final class ForgetsClaims extends DeferredLinksScenario {
        public ForgetsClaims() {
            super(new ForgetsClaimsLink());
        }
    }
}
