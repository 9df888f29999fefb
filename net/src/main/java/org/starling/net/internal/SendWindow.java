package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.net.Waiting;

/**
 * How far the senders of a link may claim, in its ring and in the peer's window, and their waiting
 * until they may. The window applies to positions claimed and not confirmed.
 *
 * <p>Owned by an {@link OutgoingLink}. Thread-safe. {@code confirmed} only grows and is changed
 * through its VarHandle; of several threads that wait, {@code waiter} is one, and the others look
 * by themselves.
 */
final class SendWindow {

    private static final VarHandle CONFIRMED =
            Fields.handle(MethodHandles.lookup(), "confirmed", long.class);

    private final OutgoingRing ring;
    private final Waiting waiting;
    private final int windowBytes;
    private final long sendTimeoutNanos;
    private final Workers workers;
    private final AtomicLong stalls = new AtomicLong();
    private final AtomicLong stallNanos = new AtomicLong();
    private volatile long confirmed;
    private volatile @Nullable Thread waiter;

    /** For the ring of a link of {@code messenger}, whose workers are told when one waits. */
    SendWindow(OutgoingRing ring, Messenger messenger) {
        this.ring = ring;
        this.waiting = messenger.config().waiting();
        this.windowBytes = messenger.limits().windowBytes();
        this.sendTimeoutNanos = messenger.limits().sendTimeout().toNanos();
        this.workers = messenger.workers();
    }

    // ---- senders

    /** Position from which on nothing may be claimed now; an exempt claim passes a full window. */
    long limit(boolean isExempt) {
        return isExempt ? OutgoingRing.UNLIMITED : confirmed + windowBytes;
    }

    /**
     * Waits until {@code claim} gives something else than {@link OutgoingRing#FULL}, and returns
     * that.
     *
     * @param flush frees what room it can; called now and then
     * @param giveUp called when nothing has moved for the send time-out; claims must end then
     */
    long await(LongSupplier claim, Runnable flush, Runnable giveUp) {
        stalls.getAndIncrement();
        long startNanos = System.nanoTime();
        long progressNanos = startNanos;
        long progress = progress();
        Backoff backoff = new Backoff(waiting);
        long address = claim.getAsLong();
        while (address == OutgoingRing.FULL) {
            flush.run();
            waiter = Thread.currentThread();
            pause(backoff);
            if (progress() != progress) {
                progress = progress();
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > sendTimeoutNanos) {
                giveUp.run();
            }
            address = claim.getAsLong();
        }
        waiter = null;
        backoff.reset();
        stallNanos.getAndAdd(System.nanoTime() - startNanos);
        return address;
    }

    private long progress() {
        return ring.freePosition() + confirmed;
    }

    /**
     * A waiting worker is made up for by another one, so that handlers that wait can't stop all
     * others.
     */
    private void pause(Backoff backoff) {
        if (backoff.pauseAwake()) {
            return;
        }
        workers.await();
        try {
            backoff.pause();
        } finally {
            workers.resume();
        }
    }

    // ---- those who make room

    /** The peer has handled bytes up to a position that was claimed. */
    void confirm(long position) {
        long present = confirmed;
        while (present < position && !CONFIRMED.compareAndSet(this, present, position)) {
            present = confirmed;
        }
        LockSupport.unpark(waiter);
    }

    /** The consumer of the ring goes; wakes who waits, unless it is too early to be worth it. */
    void drained() {
        Thread waiting = waiter;
        if (waiting != null
                && !waiting.equals(Thread.currentThread())
                && ring.claimedPosition() - ring.sentPosition() <= ring.capacity() / 2) {
            LockSupport.unpark(waiting);
        }
    }

    /**
     * Counts bytes of an earlier connection, not done with by the peer, against the window until
     * the peer confirms something; before anything is claimed. No more than half the window, so
     * that a peer that has forgotten them can't stop this link.
     */
    void carry(long debtBytes) {
        CONFIRMED.compareAndSet(this, 0L, -Math.min(debtBytes, windowBytes / 2));
    }

    // ---- accessors

    /** Whether what was carried over is not done with. */
    boolean hasDebt() {
        return confirmed < 0;
    }

    /** Bytes claimed and not confirmed. */
    long unconfirmedBytes() {
        return ring.claimedPosition() - confirmed;
    }

    long stalls() {
        return stalls.get();
    }

    long stallNanos() {
        return stallNanos.get();
    }
}
