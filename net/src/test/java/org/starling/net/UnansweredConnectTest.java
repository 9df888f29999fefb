package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a host that does not answer at first, as behind a cut network. */
@Timeout(30)
class UnansweredConnectTest {
    private static final int SERVER = 1;
    private static final int CALLER = 2;
    private static final int LATE = 3;
    private static final int CROWD = 8;
    private static final Duration SECONDS_10 = Duration.ofSeconds(10);
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final List<SocketChannel> crowd = new ArrayList<>();
    private ServerSocket silent;
    private Network server;
    private Network caller;

    @BeforeEach
    void open() throws IOException {
        silent = new ServerSocket(0, 1, HERE);
        server = open(SERVER, addresses::get);
        server.serve(Ask.TYPE, Execution.INLINE, (source, ask) -> new Text(ask.number(), "here"));
        caller =
                open(
                        CALLER,
                        node -> {
                            InetSocketAddress address = addresses.get(node);
                            asked.countDown();
                            return address;
                        });
        addresses.put(CALLER, addressOf(caller));
    }

    @AfterEach
    void close() throws IOException {
        caller.close();
        server.close();
        silent.close();
        for (SocketChannel each : crowd) {
            each.close();
        }
    }

    @Test
    void areTriedAnewWithinTheTimeOfOne() throws Exception {
        addresses.put(SERVER, silence());

        CompletableFuture<Text> answer = asks(7);
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        addresses.put(SERVER, addressOf(server));

        assertThat(answer.get(10, TimeUnit.SECONDS).number()).isEqualTo(7);
    }

    @Test
    void areNotBrokenByARenewalBeforeTheyStand() throws Exception {
        addresses.put(SERVER, silence());
        CompletableFuture<Text> answer = asks(7);
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

        caller.renew(SERVER);
        addresses.put(SERVER, addressOf(server));

        assertThat(answer.get(10, TimeUnit.SECONDS).number()).isEqualTo(7);
        assertThat(caller.statistics().lost()).isZero();
    }

    @Test
    void areMadeAnewWhenTheyStand() throws Exception {
        addresses.put(SERVER, addressOf(server));
        caller.renew(SERVER); // there is none
        assertThat(caller.call(SERVER, new Ask(1), SECONDS_10).number()).isEqualTo(1);
        CountDownLatch lost = new CountDownLatch(1);
        server.onNodeLost(node -> lost.countDown());

        caller.renew(SERVER);

        assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(caller.call(SERVER, new Ask(2), SECONDS_10).number()).isEqualTo(2);
    }

    @Test
    void leaveNothingBehindInANetworkThatIsClosedMeanwhile() throws Exception {
        InetSocketAddress somewhere = addressOf(server);
        long reserved = NativeMemory.reservedBytes();
        CountDownLatch closed = new CountDownLatch(1);
        Network late =
                open(
                        LATE,
                        node -> {
                            asked.countDown();
                            awaitUnchecked(closed);
                            return somewhere;
                        });
        CompletableFuture<Void> sending =
                CompletableFuture.runAsync(
                        () -> late.send(SERVER, new Text(1, "too late")),
                        task -> Thread.ofVirtual().start(task));
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

        late.close();
        closed.countDown();

        assertThatThrownBy(() -> sending.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NetException.class)
                .hasMessageContaining("is closed");
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reserved);
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Network open(int node, AddressBook book) {
        InetSocketAddress any = new InetSocketAddress(HERE, 0);
        return Network.open(node, Transports.ethernet(any, book), NetConfig.defaults());
    }

    private static InetSocketAddress addressOf(Network network) {
        return Objects.requireNonNull(network.localAddress());
    }

    /** On a thread of its own, as a request waits for its connection. */
    private CompletableFuture<Text> asks(int number) {
        return CompletableFuture.supplyAsync(
                () -> caller.request(SERVER, new Ask(number), SECONDS_10).join(),
                task -> Thread.ofVirtual().start(task));
    }

    /** Where nobody answers: the queue of a socket that accepts nothing is full. */
    private InetSocketAddress silence() throws IOException {
        InetSocketAddress full = (InetSocketAddress) silent.getLocalSocketAddress();
        for (int i = 0; i < CROWD; i++) {
            SocketChannel channel = SocketChannel.open();
            crowd.add(channel);
            channel.configureBlocking(false);
            boolean _ = channel.connect(full);
        }
        return full;
    }
}
