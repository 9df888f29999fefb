package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.starling.net.NodeLostException;

/**
 * The sending direction of a connection: the ring, the window, and who may drain the ring.
 *
 * <p>Made by {@link Links}, given to a transport, used by all sending threads. A sender waits in
 * {@link #claim} while ring or window is full, unless it is the receiving thread, whose frames go
 * to the overflow queue. Responses, and calls made by handlers, are exempt from the window, so that
 * answers always pass and handlers that wait for answers can't block each other.
 *
 * <p>Fields: {@code state} is volatile and changed through its VarHandle; {@code isBlocked} is
 * volatile; {@code overflow} is confined to the receiving thread. What senders read with each frame
 * stands in the ring, beside the words they write: whether the link is deferred, and whether
 * anything is in {@code overflow}.
 */
public final class OutgoingLink implements Link, Deferrable {

    /** A power of two; see {@link #commit}. */
    static final int TELL_BYTES = 4 << 10;

    private static final VarHandle STATE =
            Fields.handle(MethodHandles.lookup(), "state", LinkState.class);

    private final int peer;
    private final Limits limits;
    private final Messenger messenger;
    private final OutgoingRing ring;
    private final SendWindow window;
    private final OverflowQueue overflow;
    private final DrainLock drainLock = new DrainLock();
    private final CountDownLatch settled = new CountDownLatch(1);
    private final Semaphore streams = new Semaphore(FragmentLayout.MAX_STREAMS);

    private volatile LinkState state = LinkState.CONNECTING;
    private volatile String lossReason = "";

    private volatile boolean isBlocked;
    private volatile @Nullable Object attachment;

    /** Written before the link is published. */
    private boolean isHeldBack;

    /** Whether the ring's next bytes are brought into the cache before they are written. */
    private final boolean isApproaching;

    // What the receiving thread has noted as it drains deferred links; confined to it.
    private boolean isTouched;
    private long seenClaimed;
    private long seenSent;

    OutgoingLink(int peer, Messenger messenger) {
        this.peer = peer;
        this.messenger = messenger;
        this.limits = messenger.limits();
        this.isApproaching = !messenger.transport().readsRingsInPlace();
        this.ring = new OutgoingRing(messenger.ringBytes());
        this.window = new SendWindow(ring, messenger);
        this.overflow = new OverflowQueue(limits.maxFrameBytes());
    }

    // ---- life cycle

    /** The transport has connected. */
    boolean opened() {
        boolean isOpened = become(LinkState.OPEN);
        settled.countDown();
        return isOpened;
    }

    /** Refuses further claims; false when it was closed already. */
    boolean close(LinkState closed, String reason) {
        if (!state.isClosed()) {
            lossReason = reason;
        }
        boolean isClosed = become(closed);
        ring.close();
        settled.countDown();
        return isClosed;
    }

    /**
     * Begins to close this link on purpose, with nothing half sent; false when now is no time for
     * that. On the receiving thread.
     */
    boolean retire() {
        if (ring.isOverflowing()
                || window.hasDebt()
                || !streams.tryAcquire(FragmentLayout.MAX_STREAMS)) {
            return false;
        }
        try {
            return sayGoodbye(FrameLayout.RETIRING);
        } finally {
            streams.release(FragmentLayout.MAX_STREAMS);
        }
    }

    /** Begins to close this link because its network is being closed; false to try again. */
    boolean leave() {
        return !ring.isOverflowing() && sayGoodbye(FrameLayout.LEAVING);
    }

    /** Makes the goodbye the last frame; who claims later finds the ring closed. */
    private boolean sayGoodbye(int reason) {
        if (state != LinkState.OPEN) {
            return false;
        }
        long address = ring.claimLast(FrameLayout.HEADER_BYTES);
        if (address == OutgoingRing.FULL || address == OutgoingRing.CLOSED) {
            return false;
        }
        boolean isRetiring = become(LinkState.RETIRING);
        ring.commit(
                address, FrameLayout.header(FrameLayout.GOODBYE, reason, FrameLayout.HEADER_BYTES));
        return isRetiring;
    }

    /** The peer has taken up everything; false when this link does not wait for that. */
    boolean endRetirement() {
        return become(LinkState.RETIRED);
    }

    /** Is to be connected only when the link before it is gone. Before it is published. */
    void holdBack() {
        isHeldBack = true;
    }

    boolean isHeldBack() {
        return isHeldBack;
    }

    /** See {@link SendWindow#carry}; before this link is open. */
    void carry(long debtBytes) {
        window.carry(debtBytes);
    }

    /** The other end is gone. */
    void hangUp(String reason) {
        messenger.lost(this, reason);
    }

    LinkState state() {
        return state;
    }

    /** Whether its loss is news: it was open, or somebody has put bytes into it already. */
    boolean hasCarried() {
        return state == LinkState.OPEN || ring.claimedPosition() > 0;
    }

    NodeLostException lostException() {
        return new NodeLostException(peer, "node " + peer + " is lost: " + lossReason);
    }

    /** Waits until the transport has connected or failed; never on the receiving thread. */
    void awaitSettled() {
        if (state != LinkState.CONNECTING || messenger.isReceivingThread()) {
            return;
        }
        try {
            if (!settled.await(limits.connectTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
                String reason =
                        "no connection within " + limits.connectTimeout().toMillis() + " ms";
                messenger.lost(this, reason);
                close(LinkState.LOST, reason); // who has lost it first may not have come so far
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeLostException(peer, "interrupted while connecting to node " + peer);
        }
    }

    // ---- senders

    /**
     * Claims a frame; waits for room.
     *
     * @param frameBytes a multiple of 8, at most {@link Limits#maxFrameBytes()}
     * @param isExempt whether it passes a full window
     * @return its address, or {@link OutgoingRing#CLOSED}
     */
    long claim(int frameBytes, boolean isExempt) {
        if (!ring.isOverflowing()) {
            long address = ring.tryClaim(ring.tail(), frameBytes);
            if (address == OutgoingRing.FULL) {
                address = ring.claim(frameBytes, window.limit(isExempt));
            }
            if (address != OutgoingRing.FULL) {
                return address;
            }
        }
        return messenger.isReceivingThread()
                ? claimOrOverflow(frameBytes)
                : claimWaiting(frameBytes, isExempt);
    }

    /**
     * Commits a claimed frame and lets the transport know. While the receiving thread looks after
     * this link anyway, a frame in each {@link #TELL_BYTES} does: how much has piled up stands in a
     * cache line that the consumer writes to.
     */
    void commit(long address, long header) {
        boolean isTelling = isTelling(address, header);
        if (isTelling && ring.isDeferred() && isApproaching) {
            ring.approach(address + FrameLayout.length(header), TELL_BYTES);
        }
        ring.commit(address, header);
        if (isTelling || !ring.isDeferred() || messenger.isReceivingThread()) {
            messenger.transport().signal(this);
        }
    }

    /** Whether the frame is the one in each {@link #TELL_BYTES} after which senders tell. */
    static boolean isTelling(long address, long header) {
        return (address ^ (address + FrameLayout.length(header))) >= TELL_BYTES;
    }

    /** Gives a claimed frame up. */
    void abandon(long address, int frameBytes) {
        commit(address, FrameLayout.header(FrameLayout.SKIP, 0, frameBytes));
    }

    /**
     * Takes one of the bounded number of large messages; waits for it except on the receiving
     * thread.
     */
    boolean tryStartStream() {
        try {
            return streams.tryAcquire(limits.sendTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void endStream() {
        streams.release();
    }

    /** Bytes claimed and not confirmed. */
    long unconfirmedBytes() {
        return window.unconfirmedBytes();
    }

    private long claimOrOverflow(int frameBytes) {
        if (overflow.isEmpty()) {
            long address = ring.claim(frameBytes);
            if (address != OutgoingRing.FULL) {
                return address;
            }
        }
        if (state.isClosed()) {
            return OutgoingRing.CLOSED;
        }
        if (overflow.bytes() > OverflowQueue.MAX_BYTES) {
            messenger.lost(
                    this,
                    "it takes no bytes while "
                            + overflow.bytes()
                            + " bytes of answers wait for it");
            return OutgoingRing.CLOSED;
        }
        ring.setOverflowing(true);
        long before = overflow.bytes();
        long address = overflow.claim(frameBytes);
        messenger.overflowChanged(overflow.bytes() - before);
        return address;
    }

    private long claimWaiting(int frameBytes, boolean isExempt) {
        awaitSettled();
        long address = claimNow(frameBytes, isExempt);
        return address != OutgoingRing.FULL
                ? address
                : window.await(
                        () -> claimNow(frameBytes, isExempt),
                        () -> messenger.transport().flush(this),
                        () ->
                                messenger.lost(
                                        this,
                                        "it took no byte for "
                                                + limits.sendTimeout().toMillis()
                                                + " ms"));
    }

    private long claimNow(int frameBytes, boolean isExempt) {
        return state.takesFrames()
                ? ring.claim(frameBytes, window.limit(isExempt))
                : OutgoingRing.CLOSED;
    }

    // ---- the drain lock

    /** Tries to become the ring's consumer; see {@link DrainLock}. */
    boolean tryLockDrain() {
        return drainLock.tryLock();
    }

    /** Stops being the consumer; true when the caller must look again. */
    boolean unlockDrain() {
        boolean isMissed = drainLock.unlock();
        window.drained();
        return isMissed;
    }

    /**
     * Whether somebody is draining this link and the receiving thread will look at it later, so
     * that a sender need not even tell them.
     */
    boolean isLookedAfter() {
        return ring.isDeferred() && drainLock.isHeld();
    }

    OutgoingRing ring() {
        return ring;
    }

    boolean isDeferred() {
        return ring.isDeferred();
    }

    @Override
    public boolean defer() {
        return ring.defer();
    }

    @Override
    public void endDeferral() {
        ring.endDeferral();
    }

    @Override
    public boolean touch() {
        if (isTouched) {
            return false;
        }
        isTouched = true;
        return true;
    }

    @Override
    public void endTouch() {
        isTouched = false;
    }

    /** The transport takes no bytes until it says so; it will drain then. */
    void setBlocked(boolean value) {
        isBlocked = value;
    }

    boolean isBlocked() {
        return isBlocked;
    }

    @Override
    public boolean isSettled() {
        return isBlocked || state.isClosed() || ring.claimedPosition() == ring.sentPosition();
    }

    @Override
    public boolean hasSentSinceLook() {
        return ring.sentPosition() != seenSent;
    }

    @Override
    public long look() {
        long claimed = ring.claimedPosition();
        long growth = claimed - seenClaimed;
        seenClaimed = claimed;
        seenSent = ring.sentPosition();
        return growth;
    }

    /** Bytes claimed that have not left. */
    long backlogBytes() {
        return ring.claimedPosition() - ring.sentPosition();
    }

    /**
     * After closing: releases the ring unless a producer is still writing. While another thread
     * closes this link its ring may still be open; that thread comes back to release it.
     */
    boolean tryRelease() {
        if (!ring.isClosed() || !tryLockDrain()) {
            return false;
        }
        try {
            return ring.releaseIfQuiet();
        } finally {
            drainLock.unlock();
        }
    }

    // ---- the receiving thread

    /**
     * The peer has handled bytes up to the count {@code position}, or says farewell; false when
     * that can't be true. Any thread.
     */
    boolean confirm(long position) {
        if ((position & ConfirmationLayout.FAREWELL) != 0) {
            return farewell(position ^ ConfirmationLayout.FAREWELL);
        }
        if (position < 0 || position > ring.claimedPosition()) {
            return false;
        }
        window.confirm(position);
        return true;
    }

    private boolean farewell(long debtBytes) {
        if (debtBytes < 0 || state.takesFrames()) {
            return false;
        }
        messenger.retired(this, debtBytes);
        return true;
    }

    /**
     * Whether everything that was sent has left, as far as one can tell without stopping senders.
     */
    boolean isQuiet() {
        return ring.claimedPosition() == ring.sentPosition() && !ring.isOverflowing();
    }

    /** Moves overflow to the ring as far as there is room. */
    boolean moveOverflow() {
        if (!ring.isOverflowing() || overflow.isEmpty()) {
            return false;
        }
        long moved = overflow.moveTo(ring);
        messenger.overflowChanged(-moved);
        ring.setOverflowing(!overflow.isEmpty());
        return moved > 0;
    }

    /** Drops overflow after closing; on the receiving thread or after it has ended. */
    void dropOverflow() {
        messenger.overflowChanged(-overflow.bytes());
        overflow.release();
        ring.setOverflowing(false);
    }

    boolean isOnReceivingThread() {
        return messenger.isReceivingThread();
    }

    // ---- accessors

    @Override
    public int peer() {
        return peer;
    }

    long stalls() {
        return window.stalls();
    }

    long stallNanos() {
        return window.stallNanos();
    }

    /** What the transport keeps with this link. */
    @Nullable Object attachment() {
        return attachment;
    }

    void attach(Object value) {
        attachment = value;
    }

    private boolean become(LinkState next) {
        LinkState present = state;
        while (present.mayBecome(next)) {
            if (STATE.compareAndSet(this, present, next)) {
                return true;
            }
            present = state;
        }
        return false;
    }
}
