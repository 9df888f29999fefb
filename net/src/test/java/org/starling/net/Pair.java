package org.starling.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.starling.net.internal.Limits;
import org.starling.net.internal.ucx.Ucp;

/**
 * Networks joined by one kind of transport, and the check that they leave no native memory behind.
 */
final class Pair implements AutoCloseable {

    /** The transports that every behaviour is tested on. */
    enum Kind {
        LOOPBACK,
        ETHERNET,
        ETHERNET_TLS,
        INFINIBAND_POSIX,
        INFINIBAND_TCP;

        /** Whether this machine has what it needs. */
        boolean isAvailable() {
            return this == LOOPBACK || this == ETHERNET || this == ETHERNET_TLS || HAS_UCX;
        }

        /** How often to try what connects anew each time: handshakes of TLS take their time. */
        int rounds(int usual) {
            return this == ETHERNET_TLS ? Math.ceilDiv(usual, 5) : usual;
        }

        Transport transport(InetSocketAddress bind, AddressBook book, LoopbackHub hub) {
            return switch (this) {
                case LOOPBACK -> Transports.loopback(hub);
                case ETHERNET -> Transports.ethernet(bind, book);
                case ETHERNET_TLS -> Transports.ethernet(bind, book, Keys.ofAnyNode());
                case INFINIBAND_POSIX ->
                        Transports.infiniband(bind, book, UcxOptions.ofTls("posix"));
                case INFINIBAND_TCP -> Transports.infiniband(bind, book, UcxOptions.ofTls("tcp"));
            };
        }
    }

    private static final boolean HAS_UCX = hasUcx();

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final Map<Integer, Network> networks = new ConcurrentHashMap<>();
    private final Set<Integer> spinning = ConcurrentHashMap.newKeySet();
    private final LoopbackHub hub = new LoopbackHub();
    private final Kind kind;
    private final TestLimits tuned;

    Pair(Kind kind) {
        this(kind, TestLimits.defaults());
    }

    Pair(Kind kind, NetConfig config) {
        this(kind, new TestLimits(config, Limits.DEFAULTS));
    }

    Pair(Kind kind, TestLimits tuned) {
        assumeTrue(kind.isAvailable(), "UCX is not installed (package libucx0): not tested");
        this.kind = kind;
        this.tuned = tuned;
    }

    /** A node that answers at once, as it never sleeps; before its first use. */
    void spins(int id) {
        spinning.add(id);
    }

    /** The network of a node, opened on first use. */
    Network node(int id) {
        return networks.computeIfAbsent(id, this::open);
    }

    /**
     * Nodes 0 to {@code nodes} - 1 answer an {@link Ask} of n by asking the next one for n - 1,
     * with the sum of the answers.
     */
    void serveInRing(int nodes, Duration timeout) {
        for (int node = 0; node < nodes; node++) {
            Network self = node(node);
            int next = (node + 1) % nodes;
            self.serve(
                    Ask.TYPE,
                    Execution.WORKER,
                    (source, q) -> {
                        if (q.number() == 0) {
                            return new Text(0, "");
                        }
                        Text below = self.call(next, new Ask(q.number() - 1), timeout);
                        return new Text(below.number() + 1, "");
                    });
        }
    }

    /** The node answers every {@link Ask} but that of 1; returns the responder of that. */
    CompletableFuture<Responder<Text>> serveLate(int id) {
        CompletableFuture<Responder<Text>> late = new CompletableFuture<>();
        node(id).serveAsync(
                        Ask.TYPE,
                        Execution.INLINE,
                        (source, q, responder) -> {
                            if (q.number() == 1) {
                                late.complete(responder);
                            } else {
                                responder.respond(new Text(q.number(), ""));
                            }
                        });
        return late;
    }

    /** From now on the others take this for the address of a node. */
    void swap(int id, InetSocketAddress address) {
        addresses.put(id, address);
    }

    InetSocketAddress address(int id) {
        return Objects.requireNonNull(addresses.get(id));
    }

    /** Somebody who talks to a node by hand, under TLS if the nodes do. */
    RawPeer rawPeer(int id) throws IOException {
        InetSocketAddress address = address(id);
        return kind == Kind.ETHERNET_TLS
                ? new RawPeer(
                        Keys.context(Keys.ofAnyNode())
                                .getSocketFactory()
                                .createSocket(address.getAddress(), address.getPort()))
                : new RawPeer(address);
    }

    void closeNode(int id) {
        Objects.requireNonNull(networks.remove(id)).close();
    }

    @Override
    public void close() {
        networks.values().forEach(Network::close);
        networks.clear();
        long left = NativeMemory.reservedBytes() - reservedBefore;
        if (left != 0) {
            throw new AssertionError(left + " bytes of native memory are left behind");
        }
    }

    private Network open(int id) {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Transport transport = kind.transport(bind, addresses::get, hub);
        Network network =
                spinning.contains(id)
                        ? Network.open(
                                id,
                                transport,
                                tuned.config().withWaiting(Waiting.SPIN),
                                tuned.limits())
                        : tuned.open(id, transport);
        if (network.localAddress() != null) {
            addresses.put(id, network.localAddress());
        }
        return network;
    }

    private static boolean hasUcx() {
        try {
            return Ucp.load(Ucp.LIBRARY) != null;
        } catch (TransportUnavailableException e) {
            return false;
        }
    }
}
