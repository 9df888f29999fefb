package org.starling.store.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.net.TlsAuthority;
import org.starling.net.TlsOptions;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * The main class of one node in a process of its own: {@code superpeer INDEX DIR SUPERPEERS KEYS}
 * or {@code peer HOST DIR SUPERPEERS KEYS}, these as HOST:PORT separated by commas, and the folder
 * of the keys that nodes speak TLS with, or nothing. A peer that is expelled starts a new node in
 * the same directory. Ends when its standard input ends or it is killed.
 */
final class NodeChild {
    /** Name of the keys of all nodes. */
    static final String KEYS = "nodes";

    private static final long PEER_HEAP_BYTES = 256L << 20;
    private static final long ZONE_BYTES = 4L << 20;
    private static final int MOST_FAILURES = 20;
    private static final long RESTART_NANOS = TimeUnit.SECONDS.toNanos(1);

    private NodeChild() {}

    /** Entry of the child process. */
    public static void main(String[] arguments) throws IOException {
        Thread.ofPlatform().daemon().name("end-of-input").start(NodeChild::endWithInput);
        if (arguments[0].equals("superpeer")) {
            superpeer(arguments);
        } else {
            peer(arguments);
        }
    }

    /** Sizes and times of all nodes of the loop. */
    static StoreConfig config() {
        return StoreConfig.defaults()
                .withHeapBytes(PEER_HEAP_BYTES)
                .withZoneBytes(ZONE_BYTES)
                .withDefaultDurability(Durability.PROCESS);
    }

    /** What {@link #text} has written. */
    static List<InetSocketAddress> addresses(String text) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            int colon = one.lastIndexOf(':');
            addresses.add(
                    new InetSocketAddress(
                            one.substring(0, colon), Integer.parseInt(one.substring(colon + 1))));
        }
        return addresses;
    }

    static String text(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(one -> one.getHostString() + ":" + one.getPort())
                .collect(Collectors.joining(","));
    }

    private static @Nullable TlsOptions keys(String folder) {
        return folder.isEmpty() ? null : TlsAuthority.files(Path.of(folder), KEYS);
    }

    private static void superpeer(String[] arguments) {
        int index = Integer.parseInt(arguments[1]);
        List<InetSocketAddress> all = addresses(arguments[3]);
        NodeOptions options =
                NodeOptions.ethernetSuperpeer(all.get(index), config())
                        .withTls(keys(arguments[4]))
                        .withDataDirectory(Path.of(arguments[2]));
        if (all.size() > 1) {
            options = options.asSuperpeer(index, all.size(), all);
        }
        try (StoreNode node = StoreNode.startSuperpeer(options)) {
            System.out.println("ready " + node.nodeId());
            new Semaphore(0).acquireUninterruptibly();
        }
    }

    private static void peer(String[] arguments) {
        NodeOptions options =
                NodeOptions.peer(
                                new InetSocketAddress(arguments[1], 0),
                                addresses(arguments[3]),
                                config())
                        .withTls(keys(arguments[4]))
                        .withDataDirectory(Path.of(arguments[2]));
        int failures = 0;
        while (failures < MOST_FAILURES) {
            Semaphore expelled = new Semaphore(0);
            try (StoreNode node = StoreNode.startPeer(options)) {
                node.onExpelled(expelled::release);
                System.out.println("ready " + node.nodeId());
                failures = 0;
                expelled.acquireUninterruptibly();
            } catch (StoreException e) { // on a busy machine: lost before it had joined
                System.out.println("did not start: " + e);
                failures++;
                LockSupport.parkNanos(RESTART_NANOS); // the node before may still close
            }
        }
    }

    private static void endWithInput() {
        try (BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = input.readLine();
            while (line != null) {
                line = input.readLine();
            }
        } catch (IOException e) {
            System.err.println("standard input broke: " + e);
        }
        Runtime.getRuntime().halt(0);
    }
}
