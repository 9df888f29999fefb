package org.starling.net;

import java.net.InetSocketAddress;
import org.starling.net.internal.EthernetTransport;
import org.starling.net.internal.LoopbackTransport;

/** Makes transports; each serves one {@link Network}. */
public final class Transports {

    private Transports() {}

    /**
     * A transport over TCP.
     *
     * @param bind where to listen; port 0 takes a free one, {@link Network#localAddress()} tells
     *     which
     * @param book where the others listen
     */
    public static Transport ethernet(InetSocketAddress bind, AddressBook book) {
        return new EthernetTransport(bind, book);
    }

    /** A transport inside this process, between the networks that share the hub. */
    public static Transport loopback(LoopbackHub hub) {
        return new LoopbackTransport(hub.registry());
    }
}
