package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;

/** A node that was declared lost, and superpeers that have never heard of it. */
@Timeout(60)
final class ForgottenNodeTest {
    /** Long enough for a superpeer to be started anew between two heartbeats. */
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    @TempDir Path folder;

    @Test
    void hearsThatItWasDeclaredLostFromASuperpeerThatWasStartedAnewSince() throws Exception {
        StoreConfig config =
                StoreConfig.defaults()
                        .withHeapBytes(1 << 20)
                        .withHeartbeats(INTERVAL, INTERVAL.multipliedBy(3));
        Node first = superpeer(0, config);
        InetSocketAddress address = first.address().orElseThrow();
        try (Node peer = Node.startPeer(NodeOptions.ethernetPeer(loopback(0), address, config))) {
            CountDownLatch told = new CountDownLatch(1);
            peer.onExpelled(told::countDown);

            peer.directory().require(new Command.RemoveNode(peer.nodeId()));
            first.crash();
            try (Node second = superpeer(address.getPort(), config)) {
                assertThat(told.getCount()).as("it was not told before").isEqualTo(1);

                assertThat(told.await(4 * INTERVAL.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
                assertThat(second.membership().node(peer.nodeId())).isEmpty();
            }
        }
    }

    private Node superpeer(int port, StoreConfig config) {
        return Node.startSuperpeer(
                NodeOptions.ethernetSuperpeer(loopback(port), config).withDataDirectory(folder));
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
