package org.starling.net;

import java.net.InetSocketAddress;
import org.starling.net.internal.EthernetTransport;
import org.starling.net.internal.LoopbackTransport;
import org.starling.net.internal.UcxTransport;
import org.starling.net.internal.tls.TlsKeys;
import org.starling.net.internal.ucx.Ucp;
import org.starling.net.internal.ucx.UcxDevices;
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
     * A transport over UCX: InfiniBand where the machine has it, or what the options name.
     *
     * @param bind where to listen for the short talk that precedes a connection; port 0 takes a
     *     free one
     * @param book where the others listen
     * @param options what UCX may use
     * @throws TransportUnavailableException when the library is missing or too old; when one of the
     *     named transports or devices is missing, {@link Network#open} throws it
     */
    public static Transport infiniband(
            InetSocketAddress bind, AddressBook book, UcxOptions options) {
        UcxTls tls = UcxTls.of(options.tls(), System.getenv(UcxTls.VARIABLE));
        UcxDevices devices =
                UcxDevices.of(
                        options.devices(),
                        System.getenv(UcxDevices.VARIABLE),
                        tls,
                        bind.getAddress());
        return new UcxTransport(bind, book, tls, devices, Ucp.load(Ucp.LIBRARY));
    }

    /** A transport inside this process, between the networks that share the hub. */
    public static Transport loopback(LoopbackHub hub) {
        return new LoopbackTransport(hub.registry());
    }
}
