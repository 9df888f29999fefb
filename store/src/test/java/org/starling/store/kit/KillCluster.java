package org.starling.store.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.starling.store.NodeOptions;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** Superpeers and peers in processes of their own, and clients in this one. */
final class KillCluster implements AutoCloseable {
    private final List<Victim> superpeers = new ArrayList<>();
    private final List<Victim> peers = new ArrayList<>();
    private final String ports;

    KillCluster(Path folder, int superpeerCount, int peerCount) {
        ports = freePorts(superpeerCount);
        for (int i = 0; i < superpeerCount; i++) {
            superpeers.add(
                    start(
                            folder,
                            "superpeer-" + i,
                            "superpeer",
                            Integer.toString(i),
                            folder.resolve("superpeer-" + i).toString(),
                            ports));
        }
        for (int i = 0; i < peerCount; i++) {
            String name = "peer-" + i;
            peers.add(start(folder, name, "peer", folder.resolve(name).toString(), ports));
        }
    }

    List<Victim> superpeers() {
        return superpeers;
    }

    List<Victim> peers() {
        return peers;
    }

    /** A node of this process that stores nothing itself; tries until a deadline. */
    StoreNode client(long deadlineNanos) {
        StoreException last = new StoreException("no time to join");
        while (System.nanoTime() < deadlineNanos) {
            try {
                InetSocketAddress anyPort =
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
                return StoreNode.startPeer(
                        NodeOptions.peer(anyPort, NodeChild.addresses(ports), NodeChild.config())
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

    private static Victim start(Path folder, String name, String... arguments) {
        try {
            Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Victim(name, folder.resolve(name + ".log"), List.of(arguments));
    }

    private static String freePorts(int count) {
        return FreePorts.addresses(count).stream()
                .map(address -> Integer.toString(address.getPort()))
                .collect(Collectors.joining(","));
    }
}
