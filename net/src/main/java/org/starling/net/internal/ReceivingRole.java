package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Who receives: the receiving thread of a transport, or, while it lends its role, a thread that
 * waits for an answer anyway. One of them at a time; what the one has done happens before what the
 * next one does.
 *
 * <p>The receiving thread {@link #take}s the role, {@link #lend}s it when it was {@link #ask}ed to,
 * and has it again when nobody has borrowed it for a while, or at once when it is {@link
 * #recall}ed. {@link #tryBorrow} and what follows are for the others, {@link #ask} and {@link
 * #recall} for any thread. Nobody but the receiving thread waits.
 */
final class ReceivingRole {

    /** How the receiving thread waits; a test does it by hand. */
    interface Rest {

        /** Parks for some time, or until {@link #end}, or for no reason. */
        void park();

        /** Ends the parking of the receiving thread, now or the next time. */
        void end();
    }

    private final Rest rest;

    /** {@link #isTaken}, to be changed by one only. */
    private static final VarHandle IS_TAKEN = isTakenHandle();

    /**
     * Whether somebody has the role. Who has borrowed it gives it back by a plain write, which
     * takes no stack, as it may have none left; {@link #wasGivenBack} follows, if there is.
     */
    volatile boolean isTaken;

    private volatile boolean isAsked;
    private volatile boolean isLent;
    private volatile boolean isRecalled;

    /** How often it was borrowed. */
    private final AtomicLong loans = new AtomicLong();

    ReceivingRole(Rest rest) {
        this.rest = rest;
    }

    private static VarHandle isTakenHandle() {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(ReceivingRole.class, "isTaken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- the receiving thread

    /** Takes the role; waits for who has borrowed it. */
    void take() {
        while (!IS_TAKEN.compareAndSet(this, false, true)) {
            rest.park();
        }
    }

    /** Whether somebody would like to borrow the role. */
    boolean isAsked() {
        return isAsked;
    }

    /**
     * Lends the role until nobody borrows it any more.
     *
     * @param isIdle whether nothing is left to be done by who has the role
     */
    void lend(BooleanSupplier isIdle) {
        isAsked = false;
        isRecalled = false;
        isLent = true; // before the look: who leaves work to be done from now on recalls the role
        if (isIdle.getAsBoolean()) {
            isTaken = false;
            long seen;
            do {
                seen = loans.get();
                rest.park();
            } while (!isRecalled && seen != loans.get());
            take();
        }
        isLent = false;
    }

    // ---- any thread

    /** Asks the receiving thread to lend its role when it next looks. */
    void ask() {
        isAsked = true;
    }

    /** Whether the role is lent, so that whoever has work for it must {@link #recall} it. */
    boolean isLent() {
        return isLent;
    }

    /** Whether the receiving thread is to have its role again now. */
    boolean isRecalled() {
        return isRecalled;
    }

    /** The receiving thread is needed; nothing happens if it has its role. */
    void recall() {
        if (isLent) {
            isRecalled = true;
            rest.end();
        }
    }

    /**
     * Takes the role, if it is lent and free. {@link #borrowed} follows, and in the end {@link
     * #isTaken} is false again.
     */
    boolean tryBorrow() {
        return isLent && !isRecalled && IS_TAKEN.compareAndSet(this, false, true); // no call behind
    }

    /** Somebody has borrowed the role: the receiving thread need not look for itself. */
    void borrowed() {
        long _ = loans.incrementAndGet();
    }

    /** The borrowed role has been given back; the receiving thread may wait for that. */
    void wasGivenBack() {
        if (isRecalled) {
            rest.end();
        }
    }
}
