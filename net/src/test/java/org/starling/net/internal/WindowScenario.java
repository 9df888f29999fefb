package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.TestLimits;

/**
 * Confirmations of one connection that are taken up by several threads at once, for Lincheck: the
 * window never closes again by an older one.
 */
@Param(name = "position", gen = IntGen.class, conf = "1:6")
public abstract class WindowScenario {

    private static final int SENT_BYTES = 64;

    private final AtomicLong highest = new AtomicLong();

    /** Takes a confirmation up. */
    @Operation
    public void confirm(@Param(name = "position") int position) {
        confirmUpTo(position);
        highest.accumulateAndGet(position, Math::max);
        if (confirmed() < position) {
            throw new IllegalStateException(position + " was taken back to " + confirmed());
        }
    }

    /** Checks the promise. */
    @Validate
    public void theHighestCounts() {
        if (confirmed() != highest.get()) {
            throw new IllegalStateException("confirmed " + confirmed() + " of " + highest);
        }
        end();
    }

    void end() {}

    abstract void confirmUpTo(long position);

    abstract long confirmed();

    /** The link itself. */
    public static final class Real extends WindowScenario {
        private static final Messenger MESSENGER =
                TestLimits.defaults()
                        .withRingBytes(Limits.MIN_BUFFER_BYTES)
                        .messenger(1, new DeafTransport(link -> {}));

        private final OutgoingLink link = new OutgoingLink(2, MESSENGER);

        public Real() {
            long address = link.ring().claim(SENT_BYTES);
            link.ring().commit(address, FrameLayout.header(FrameLayout.SKIP, 0, SENT_BYTES));
        }

        @Override
        void confirmUpTo(long position) {
            if (!link.confirm(position)) {
                throw new IllegalStateException(position + " bytes were sent");
            }
        }

        @Override
        long confirmed() {
            return SENT_BYTES - link.unconfirmedBytes();
        }

        @Override
        void end() {
            link.close(LinkState.LOST, "over");
            if (!link.tryRelease()) {
                throw new IllegalStateException("the ring is still in use");
            }
        }
    }

    /** Looks and sets. */
    public static final class LooksAndSets extends WindowScenario {
        private volatile long position;

        @Override
        void confirmUpTo(long to) {
            if (to > position) {
                position = to;
            }
        }

        @Override
        long confirmed() {
            return position;
        }
    }
}
