package org.starling.net;

import java.net.InetSocketAddress;
import org.starling.net.internal.EthernetTransport;
import org.starling.net.internal.LoopbackTransport;
import org.starling.net.internal.UcxTransport;
import org.starling.net.internal.tls.TlsKeys;
import org.starling.net.internal.ucx.Ucp;
import org.starling.net.internal.ucx.UcxTls;

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
        return new EthernetTransport(bind, book, null);
    }

    /**
     * A transport over TCP under TLS 1.3. Both ends of each connection prove which nodes they are;
     * see {@link TlsOptions}.
     *
     * @param bind as above
     * @param book as above
     * @param tls the files that this node proves itself with
     * @throws TransportUnavailableException when these can't be used
     */
    public static Transport ethernet(InetSocketAddress bind, AddressBook book, TlsOptions tls) {
        return new EthernetTransport(bind, book, new TlsKeys(tls));
    }

    /**
     * A transport over UCX: InfiniBand where the machine has it, or what {@code tls} names.
     *
     * @param bind where to listen for the short talk that precedes a connection; port 0 takes a
     *     free one
     * @param book where the others listen
     * @param tls UCX's transports, as in its variable UCX_TLS: {@code rc,ud} for InfiniBand, {@code
     *     posix} for shared memory, {@code tcp}; empty takes UCX_TLS from the environment, else
     *     {@code rc,ud,self}
     * @throws TransportUnavailableException when the library is missing; when one of the named
     *     transports is, {@link Network#open} throws it
     */
    public static Transport infiniband(InetSocketAddress bind, AddressBook book, String tls) {
        return new UcxTransport(
                bind, book, UcxTls.of(tls, System.getenv(UcxTls.VARIABLE)), Ucp.load(Ucp.LIBRARY));
    }

    /** A transport inside this process, between the networks that share the hub. */
    public static Transport loopback(LoopbackHub hub) {
        return new LoopbackTransport(hub.registry());
    }
}
