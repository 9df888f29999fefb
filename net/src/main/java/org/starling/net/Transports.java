package org.starling.net;

import org.starling.net.internal.LoopbackTransport;

/** Makes transports; each serves one {@link Network}. */
public final class Transports {

    private Transports() {}

    /** A transport inside this process, between the networks that share the hub. */
    public static Transport loopback(LoopbackHub hub) {
        return new LoopbackTransport(hub.registry());
    }
}
