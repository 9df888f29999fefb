package org.starling.store.internal.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.net.AddressBook;
import org.starling.net.LoopbackHub;
import org.starling.net.TlsOptions;
import org.starling.net.Transport;
import org.starling.net.Transports;
import org.starling.net.UcxOptions;
import org.starling.store.NodeOptions;
import org.starling.store.StoreException;
import org.starling.store.TransportKind;

/**
 * Where a node listens and by what transport: the one place that tells transports apart. Immutable.
 *
 * @param hub of the loopback, or null
 * @param listens where the node listens, with a real port, or null on the loopback
 * @param advertised how the others reach it, or null: by where it listens
 * @param kind by what, if not by the loopback
 * @param ucx what UCX may use
 * @param tls the files with which the node proves who it is, or null
 */
record NodeTransport(
        @Nullable LoopbackHub hub,
        @Nullable InetSocketAddress listens,
        @Nullable String advertised,
        TransportKind kind,
        UcxOptions ucx,
        @Nullable TlsOptions tls) {
    /** Checks the fields. */
    NodeTransport {
        if (advertised == null && listens != null && listens.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "a node that listens on all addresses must say by which one it is reached");
        }
    }

    /** That of a node; finds a free port if none is given. */
    static NodeTransport of(NodeOptions options) {
        InetSocketAddress bind = options.bind();
        return new NodeTransport(
                options.hub(),
                bind == null || bind.getPort() != 0 ? bind : withFreePort(bind.getAddress()),
                options.advertised(),
                options.transport(),
                options.ucx(),
                options.tls());
    }

    /** The same, listening elsewhere: for the network that a node uses only to join. */
    NodeTransport elsewhere() {
        return listens == null
                ? this
                : new NodeTransport(
                        null, withFreePort(listens.getAddress()), advertised, kind, ucx, tls);
    }

    /** A new transport; each network needs its own. */
    Transport create(AddressBook addresses) {
        if (hub != null) {
            return Transports.loopback(hub);
        }
        InetSocketAddress bind = Objects.requireNonNull(listens);
        return switch (kind) {
            case ETHERNET ->
                    tls == null
                            ? Transports.ethernet(bind, addresses)
                            : Transports.ethernet(bind, addresses, tls);
            case INFINIBAND -> Transports.infiniband(bind, addresses, ucx);
        };
    }

    /** What the others connect to; empty on the loopback. */
    String host() {
        if (listens == null) {
            return "";
        }
        return advertised == null ? listens.getAddress().getHostAddress() : advertised;
    }

    /** Likewise; 0 on the loopback. */
    int port() {
        return listens == null ? 0 : listens.getPort();
    }

    /**
     * A port that was free a moment ago. Whoever is faster makes the network fail to open, with a
     * clear message.
     */
    private static InetSocketAddress withFreePort(InetAddress address) {
        try (ServerSocket probe = new ServerSocket(0, 1, address)) {
            return new InetSocketAddress(address, probe.getLocalPort());
        } catch (IOException e) {
            throw new StoreException("no free port on " + address + ": " + e.getMessage(), e);
        }
    }
}
