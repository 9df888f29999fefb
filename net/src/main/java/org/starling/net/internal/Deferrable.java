package org.starling.net.internal;

/** What {@link DeferredLinks} holds: {@link OutgoingLink}, and stand-ins under test. */
interface Deferrable {

    /** Leaves the ring to the receiving thread; false when it was so already. Any thread. */
    boolean defer();

    /** The receiving thread gives the ring back to whoever commits. */
    void endDeferral();

    /** Notes that the receiving thread has committed; false when that was noted already. */
    boolean touch();

    /** Forgets that note. */
    void endTouch();

    /** Whether nothing more is to be drained. */
    boolean isEnded();

    /** Whether nothing is claimed that has not left, or its leaving is looked after elsewhere. */
    boolean isSettled();

    /** Bytes claimed since this was asked last. */
    long growth();

    /** Whether bytes have left since this was asked last; if so, notes that it is this time. */
    boolean hasSent(long nowNanos);

    /** Whether bytes have left since a time, or a little before, as far as was noted. */
    boolean hasSentSince(long nanos);
}
