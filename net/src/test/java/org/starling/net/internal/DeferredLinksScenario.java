package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * A sender that commits and tells nobody while its link is deferred, and the receiving thread, for
 * Lincheck. When the receiving thread holds no link any more and so may sleep, nothing committed is
 * left behind.
 */
public abstract class DeferredLinksScenario {

    private static final class FakeLink implements Deferrable {
        private final AtomicBoolean isDeferred = new AtomicBoolean();
        private final AtomicInteger committed = new AtomicInteger();

        /** Confined to the receiving thread. */
        private int taken;

        @Override
        public boolean defer() {
            return isDeferred.compareAndSet(false, true);
        }

        @Override
        public void endDeferral() {
            isDeferred.set(false);
        }

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public long growth() {
            return 0;
        }

        /** One at a time, as a ring that wraps is drained in two runs. */
        int take() {
            int fresh = Math.min(1, committed.get() - taken);
            taken += fresh;
            return fresh;
        }
    }

    private final DeferredLinks<FakeLink> links = new DeferredLinks<>();
    private final FakeLink link = new FakeLink();

    /** As a transport's signal does it. */
    @Operation
    public void send() {
        link.committed.incrementAndGet();
        if (!link.isDeferred.get()) {
            links.offer(link);
        }
    }

    /** A round of the receiving thread that ends in wanting to sleep. */
    @Operation(nonParallelGroup = "receiving thread")
    public void receive() {
        while (links.drain(FakeLink::take) > 0) {
            // as long as there is work, nobody wants to sleep
        }
        cool(links, FakeLink::take);
    }

    /** Checks the promise. */
    @Validate
    public void nothingIsLeftBehind() {
        if (links.isEmpty() && link.taken != link.committed.get()) {
            throw new IllegalStateException(
                    "committed " + link.committed.get() + ", taken " + link.taken);
        }
    }

    abstract <L extends Deferrable> void cool(DeferredLinks<L> links, ToIntFunction<L> drainer);

    /** The order that is promised. */
    public static final class Real extends DeferredLinksScenario {
        @Override
        <L extends Deferrable> void cool(DeferredLinks<L> links, ToIntFunction<L> drainer) {
            links.cool(drainer);
        }
    }

    /** Drains, then ends the deferral: a commit in between is left behind. */
    public static final class LooksTooEarly extends DeferredLinksScenario {
        @Override
        <L extends Deferrable> void cool(DeferredLinks<L> links, ToIntFunction<L> drainer) {
            links.drain(drainer);
            links.cool(link -> 0);
        }
    }
}
