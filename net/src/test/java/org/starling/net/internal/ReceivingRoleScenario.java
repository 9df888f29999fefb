package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * A receiving thread that lends its role, threads that borrow it, and threads that leave work for
 * whoever has it, for Lincheck. Two never have it at a time, and no work stays where the receiving
 * thread is parked and nobody has ended that.
 */
public abstract class ReceivingRoleScenario {
    private static final int NOBODY = 0;
    private static final int RECEIVING_THREAD = 1;
    private static final int BORROWER = 2;

    /** The receiving thread stays parked until the end of the scenario. */
    private static final class Parked extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final class ByHand implements ReceivingRole.Rest {
        @Override
        public void park() {
            if (!hasPermit.getAndSet(false)) {
                throw new Parked();
            }
        }

        @Override
        public void end() {
            hasPermit.set(true);
        }
    }

    final ReceivingRole role = new ReceivingRole(new ByHand());
    private final AtomicBoolean hasPermit = new AtomicBoolean();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger holder = new AtomicInteger(RECEIVING_THREAD);

    /** Confined to the receiving thread. */
    private boolean isParked;

    ReceivingRoleScenario() {
        role.take();
    }

    /** The receiving thread does what is left and lends its role. */
    @Operation(nonParallelGroup = "receiving thread")
    public void lend() {
        if (isParked) {
            return;
        }
        left.set(0);
        try {
            lend(() -> {
                become(RECEIVING_THREAD, NOBODY);
                return left.get() == 0;
            });
            become(NOBODY, RECEIVING_THREAD);
        } catch (Parked _) {
            isParked = true;
        }
    }

    /** A thread that waits for an answer receives, if it may, and leaves the work of others. */
    @Operation
    public void borrow() {
        if (role.tryBorrow()) {
            role.borrowed();
            become(NOBODY, BORROWER);
            if (left.get() > 0) {
                role.recall();
            }
            become(BORROWER, NOBODY);
            role.isTaken = false;
            role.wasGivenBack();
        }
    }

    /** A thread leaves work. */
    @Operation
    public void leaveWork() {
        left.incrementAndGet();
        role.recall();
    }

    /** Checks the promise. */
    @Validate
    public void nothingIsLeftToNobody() {
        if (isParked && left.get() > 0 && !hasPermit.get()) {
            throw new IllegalStateException(left + " left, and nobody looks");
        }
    }

    private void become(int before, int after) {
        if (!holder.compareAndSet(before, after)) {
            throw new IllegalStateException("two have the role at a time");
        }
    }

    abstract void lend(BooleanSupplier isIdle);

    /** The role itself. */
    public static final class Real extends ReceivingRoleScenario {
        @Override
        void lend(BooleanSupplier isIdle) {
            role.lend(isIdle);
        }
    }

    /** Looks for work before it says that it lends its role: what is left in between stays. */
    public static final class LooksTooEarly extends ReceivingRoleScenario {
        @Override
        void lend(BooleanSupplier isIdle) {
            boolean isIdleBefore = isIdle.getAsBoolean();
            role.lend(() -> isIdleBefore);
        }
    }
}
