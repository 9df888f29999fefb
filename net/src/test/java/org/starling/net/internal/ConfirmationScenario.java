package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.TestLimits;

/**
 * Workers that are done with bytes and the receiving thread that confirms them, for Lincheck. What
 * is confirmed only grows and was handled; when the receiving thread has nothing to look at any
 * more, less than a step is unconfirmed, or the sender would wait for ever.
 */
public abstract class ConfirmationScenario {

    private static final TestLimits CONFIG = TestLimits.defaults().withWindowBytes(64 << 10);
    private static final long STEP_BYTES = CONFIG.limits().windowBytes() / 8;

    /** One scenario runs at a time; its link tells this transport. */
    private static final AtomicBoolean SIGNAL = new AtomicBoolean();

    private final AtomicLong handled = new AtomicLong();

    /** Confined to the receiving thread. */
    private long confirmed;

    ConfirmationScenario() {
        SIGNAL.set(false);
    }

    /** A worker is done with most of a step. */
    @Operation
    public void handleMuch() {
        handle(STEP_BYTES - 8);
    }

    /** A worker is done with a little. */
    @Operation
    public void handleLittle() {
        handle(16);
    }

    /** The receiving thread looks at links that have told it to. */
    @Operation(nonParallelGroup = "receiving thread")
    public void confirm() {
        if (SIGNAL.getAndSet(false)) {
            long position = takeConfirmation();
            if (position >= 0 && (position <= confirmed || position > handled.get())) {
                throw new IllegalStateException(
                        "confirms " + position + " after " + confirmed + " of " + handled);
            }
            confirmed = Math.max(confirmed, position);
        }
    }

    /** Checks the promise. */
    @Validate
    public void everyStepIsConfirmed() {
        confirm();
        if (handled.get() - confirmed >= STEP_BYTES) {
            throw new IllegalStateException(handled + " handled, " + confirmed + " confirmed");
        }
    }

    private void handle(long bytes) {
        handled.addAndGet(bytes);
        handled(bytes);
    }

    abstract void handled(long bytes);

    abstract long takeConfirmation();

    /** The link itself. */
    public static final class Real extends ConfirmationScenario {
        private static final Messenger MESSENGER =
                CONFIG.messenger(1, new DeafTransport(link -> SIGNAL.set(true)));

        private final IncomingLink link =
                new IncomingLink(
                        2,
                        MESSENGER,
                        new Backlog(new OrderedLane(Runnable::run), MESSENGER.workers()));

        public Real() {
            link.attach(this); // an end that can confirm
        }

        @Override
        void handled(long bytes) {
            link.handled(bytes);
        }

        @Override
        long takeConfirmation() {
            return link.takeConfirmation();
        }
    }

    /** A link that forgets after looking what it was told while looking. */
    public static final class ForgetsTooLate extends ConfirmationScenario {
        private final AtomicLong handledBytes = new AtomicLong();
        private final AtomicLong confirmedBytes = new AtomicLong();
        private final AtomicBoolean isSignalled = new AtomicBoolean();

        @Override
        void handled(long bytes) {
            if (handledBytes.addAndGet(bytes) - confirmedBytes.get() >= STEP_BYTES
                    && isSignalled.compareAndSet(false, true)) {
                SIGNAL.set(true);
            }
        }

        @Override
        long takeConfirmation() {
            long all = handledBytes.get();
            boolean isDue = all - confirmedBytes.get() >= STEP_BYTES;
            if (isDue) {
                confirmedBytes.set(all);
            }
            isSignalled.set(false);
            return isDue ? all : -1;
        }
    }
}
