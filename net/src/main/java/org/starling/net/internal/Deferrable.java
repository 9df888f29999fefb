package org.starling.net.internal;

/** What {@link DeferredLinks} holds: {@link OutgoingLink}, and stand-ins under test. */
interface Deferrable {

    /** Leaves the ring to the receiving thread; false when it was so already. Any thread. */
    boolean defer();

    /** The receiving thread gives the ring back to whoever commits. */
    void endDeferral();

    /** Whether nothing more is to be drained. */
    boolean isEnded();

    /** Bytes claimed since this was asked last. */
    long growth();
}
