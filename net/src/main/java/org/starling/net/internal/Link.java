package org.starling.net.internal;

/** One direction of the connection with a peer. */
public sealed interface Link permits OutgoingLink, IncomingLink {

    /** Node id of the other end. */
    int peer();
}
