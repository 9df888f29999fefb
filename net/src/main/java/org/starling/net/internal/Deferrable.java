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

    /** Whether nothing is claimed that has not left, or its leaving is looked after elsewhere. */
    boolean isSettled();

    /** Notes how much is claimed and has left; returns the bytes claimed since the last look. */
    long look();

    /** Whether bytes have left since the last look. */
    boolean hasSentSinceLook();
}
