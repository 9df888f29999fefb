package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.kit.StallingProxy;

/** Connections on which nothing arrives any more, though both ends are there. */
@Timeout(60)
final class StalledConnectionTest {
    /** The address by which others reach the superpeer, and where the proxy is. */
    private static final String PROXY = "127.0.0.2";

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Test
    void aPeerWhoseConnectionHasDiedHearsSoonThatItWasDeclaredLost() throws Exception {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(1 << 20);
        try (Node superpeer =
                        Node.startSuperpeer(
                                NodeOptions.ethernetSuperpeer(anyPort(), config)
                                        .withAdvertised(PROXY));
                StallingProxy proxy = new StallingProxy(PROXY, superpeer.address().orElseThrow());
                Node peer =
                        Node.startPeer(
                                NodeOptions.ethernetPeer(anyPort(), proxy.address(), config))) {
            CountDownLatch expelled = new CountDownLatch(1);
            peer.onExpelled(expelled::countDown);

            // one that connects anew before it is missed is not lost
            for (int tries = 0; tries < 5 && knows(superpeer, peer); tries++) {
                assertThat(proxy.stall()).isPositive();
                var _ = expelled.await(5, TimeUnit.SECONDS);
            }
            assertThat(expelled.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean knows(Node superpeer, Node peer) {
        return superpeer.membership().node(peer.nodeId()).isPresent();
    }
}
