package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Execution;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.node.NodeMessage.Heartbeat;
import org.starling.store.internal.node.NodeMessage.HeartbeatReply;
import org.starling.store.internal.node.NodeMessage.Ping;
import org.starling.store.internal.node.NodeMessage.Pong;

/** A superpeer whose directory is busy for long, as while a large snapshot is made. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class BusyDirectoryTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    @Test
    void letsHeartbeatsWaitWithoutTheRestOfTheNetwork() throws Exception {
        LoopbackHub hub = new LoopbackHub();
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (InMemoryDirectory directory = new InMemoryDirectory();
                Network network = network(hub, 0);
                Network member = network(hub, 1);
                Superpeer superpeer =
                        new Superpeer(
                                network,
                                directory,
                                new AddressTable(),
                                StoreConfig.defaults(),
                                news -> {},
                                () -> {},
                                System::nanoTime)) {
            network.serve(NodeMessage.PING, Execution.INLINE, (source, ping) -> new Pong());
            superpeer.start();
            Thread holder =
                    Thread.ofPlatform()
                            .start(() ->
                                    directory.read(state -> {
                                        isBusy.countDown();
                                        awaitQuietly(end);
                                        return true;
                                    }));
            isBusy.await();

            CompletableFuture<HeartbeatReply> reply =
                    member.request(0, new Heartbeat(0, "", 0, 0, 0));
            assertThat(member.request(0, new Ping())).succeedsWithin(SOON);

            assertThat(reply).isNotDone();
            end.countDown();
            assertThat(reply).succeedsWithin(SOON);
            holder.join();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Network network(LoopbackHub hub, int id) {
        return Network.open(id, Transports.loopback(hub), NetConfig.defaults());
    }
}
