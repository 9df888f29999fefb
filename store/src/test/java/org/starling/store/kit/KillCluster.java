package org.starling.store.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.net.TlsAuthority;
import org.starling.net.TlsOptions;
import org.starling.store.NodeOptions;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Superpeers and peers in processes of their own, and clients in this one; all on the loopback
 * interface, or each node on a host of its own, the superpeers on the first, with TLS between them.
 */
final class KillCluster implements AutoCloseable {
    private static final int PORT = 7400;
    private static final int MAX_NODE = 65_535;

    private final List<Victim> superpeers = new ArrayList<>();
    private final List<Victim> peers = new ArrayList<>();
    private final List<InetSocketAddress> addresses;
    private final @Nullable Hosts hosts;
    private final @Nullable TlsOptions keys;

    KillCluster(Path folder, int superpeerCount, int peerCount) {
        this(folder, superpeerCount, peerCount, null);
    }

    KillCluster(Path folder, int superpeerCount, int peerCount, @Nullable Hosts hosts) {
        this.hosts = hosts;
        this.addresses =
                hosts == null
                        ? FreePorts.addresses(superpeerCount)
                        : IntStream.range(0, superpeerCount)
                                .mapToObj(i -> new InetSocketAddress(hosts.address(i), PORT))
                                .toList();
        Path keyFolder = folder.resolve("keys");
        this.keys =
                hosts == null
                        ? null
                        : new TlsAuthority(keyFolder).issue(NodeChild.KEYS, 0, MAX_NODE);
        String all = NodeChild.text(addresses);
        String with = keys == null ? "" : keyFolder.toString();
        for (int i = 0; i < superpeerCount; i++) {
            String name = "superpeer-" + i;
            String data = folder.resolve(name).toString();
            superpeers.add(
                    start(folder, name, i, "superpeer", Integer.toString(i), data, all, with));
        }
        for (int i = 0; i < peerCount; i++) {
            String name = "peer-" + i;
            String data = folder.resolve(name).toString();
            int host = superpeerCount + i;
            peers.add(start(folder, name, host, "peer", address(host), data, all, with));
        }
    }

    List<Victim> superpeers() {
        return superpeers;
    }

    List<Victim> peers() {
        return peers;
    }

    /** In the order of hosts. */
    List<Victim> nodes() {
        return Stream.concat(superpeers.stream(), peers.stream()).toList();
    }

    /** A node of this process that stores nothing itself; tries until a deadline. */
    StoreNode client(long deadlineNanos) {
        StoreException last = new StoreException("no time to join");
        while (System.nanoTime() < deadlineNanos) {
            try {
                InetSocketAddress anyPort = new InetSocketAddress(address(nodes().size()), 0);
                return StoreNode.startPeer(
                        NodeOptions.peer(anyPort, addresses, NodeChild.config())
                                .withTls(keys)
                                .withCapabilities(0));
            } catch (StoreException e) {
                last = e;
            }
        }
        throw last;
    }

    @Override
    public void close() {
        peers.forEach(Victim::kill);
        superpeers.forEach(Victim::kill);
    }

    private String address(int host) {
        return hosts == null
                ? InetAddress.getLoopbackAddress().getHostAddress()
                : hosts.address(host);
    }

    private Victim start(Path folder, String name, int host, String... arguments) {
        try {
            Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Victim(
                name,
                folder.resolve(name + ".log"),
                hosts == null ? List.of() : hosts.on(host),
                List.of(arguments));
    }
}
