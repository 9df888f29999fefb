package org.starling.net.internal;

import java.nio.channels.SelectionKey;

/** What is attached to a selection key. All methods run on the receiving thread. */
interface SocketEnd {

    /** The socket can do something that it is asked for; failures are handled inside. */
    void ready(SelectionKey key);

    /** Whether the handshake is done. */
    boolean hasShakenHands();

    /** Whether it has waited too long for its handshake. */
    boolean isOverdue(long nowNanos);

    /** Gives up because the handshake took too long. */
    void expire();

    /** Closes the socket and releases its memory. */
    void dispose();
}
