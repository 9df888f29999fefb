package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the stream of bytes under TLS survives, and how it ends. */
@Timeout(60)
class TlsStreamTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);

    @RegisterExtension private final TlsNodes nodes = new TlsNodes();

    @Test
    void understandsAStreamThatComesByteByByte() throws Exception {
        nodes.node(1, nodes.keys().node(1));
        Network two = nodes.node(2, nodes.keys().node(2));
        nodes.dribble(1);
        String text = "x".repeat(5_000);

        two.send(1, new Text(7, text));

        assertThat(two.call(1, new Ask(1), SECONDS_5).number()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void carriesBurstsOfManySendersThroughSmallSockets(Pair.Kind kind) throws Exception {
        NetConfig config = NetConfig.defaults().withSocketBuffers(4 << 10, 4 << 10);
        int senders = 3;
        int count = 3_000;
        int[] next = new int[senders];
        CountDownLatch all = new CountDownLatch(senders * count);
        List<String> wrong = new ArrayList<>();
        try (Pair pair = new Pair(kind, config)) {
            pair.node(2)
                    .handleRaw(
                            3,
                            (source, address, bytes) -> {
                                int sender = NativeMemory.getInt(address);
                                int number = NativeMemory.getInt(address + 4);
                                if (number != next[sender]++
                                        || NativeMemory.getInt(address + bytes - 4) != number) {
                                    wrong.add(sender + ":" + number);
                                }
                                all.countDown();
                            });
            Thread[] threads = new Thread[senders];
            for (int i = 0; i < senders; i++) {
                int sender = i;
                threads[i] = Thread.ofPlatform().start(() -> burst(pair.node(1), sender, count));
            }
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(wrong).isEmpty();
        }
    }

    @Test
    void goesOnWhenACallerChangesItsKeys() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLSocket socket = nodes.socket(1, Keys.context(nodes.keys().node(9)));
        RawPeer peer = new RawPeer(socket).shakeHands(9, 0);
        CountDownLatch seen = new CountDownLatch(100);
        one.handleRaw(3, (source, address, bytes) -> seen.countDown());

        byte[] frame = RawPeer.frame(5, 3, new byte[60_000]);
        for (int i = 0; i < 100; i++) {
            if (i % 10 == 5) {
                socket.startHandshake(); // in TLS 1.3: new keys, and the other end is asked for its
            }
            peer.write(frame, 0, frame.length);
        }

        assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(socket.getInputStream().readNBytes(8)).hasSize(8); // a confirmation
    }

    @Test
    void goesOnWhenTheNodeItSendsToChangesItsKeys() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLServerSocket server = nodes.server(2, nodes.keys().node(2));
        int count = 2_000;
        CompletableFuture<Long> received = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> receive(server, count * 1_000L, received));

        for (int i = 0; i < count; i++) {
            one.send(2, new Text(i, "k".repeat(1_000)));
        }

        assertThat(received.get(20, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(count * 1_000L);
        assertThat(one.statistics().lost()).isZero();
    }

    @Test
    void endsTheStreamInGoodOrder() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLSocket socket = nodes.socket(1, Keys.context(nodes.keys().node(9)));
        new RawPeer(socket).shakeHands(9, 0);

        one.close();

        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void takesTheEndOfTheStreamForALoss() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        SSLSocket socket = nodes.socket(1, Keys.context(nodes.keys().node(9)));
        new RawPeer(socket).shakeHands(9, 0);
        CountDownLatch lost = new CountDownLatch(1);
        one.onNodeLost(node -> lost.countDown());

        socket.close();

        assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void endsAConnectionWhoseRecordsAreForged() throws Exception {
        Network one = nodes.node(1, nodes.keys().node(1));
        Socket below = new Socket();
        new RawPeer(nodes.socket(1, Keys.context(nodes.keys().node(9)), below)).shakeHands(9, 0);
        byte[] forged = new byte[5 + 40];
        forged[0] = 23;
        forged[1] = 3;
        forged[2] = 3;
        forged[4] = 40;

        below.getOutputStream().write(forged);

        TlsNodes.await(() -> one.statistics().lost() == 1);
        assertThat(one.statistics().connections()).isEmpty();
    }

    private static void burst(Network from, int sender, int count) {
        RawSender out = from.raw(2);
        for (int i = 0; i < count; i++) {
            int bytes = 12 + 4 * (i * 7 % 900);
            long address = out.claim(3, bytes);
            NativeMemory.putInt(address, sender);
            NativeMemory.putInt(address + 4, i);
            NativeMemory.putInt(address + bytes - 4, i);
            out.commit();
        }
        out.flush();
    }

    /** Is node 2, and changes its keys again and again while it reads. */
    private static void receive(
            SSLServerSocket server, long expectedBytes, CompletableFuture<Long> received) {
        try (SSLSocket socket = (SSLSocket) server.accept()) {
            new RawPeer(socket).answerHandshake(2);
            byte[] bytes = new byte[100_000];
            long sum = 0;
            while (sum < expectedBytes) {
                sum += socket.getInputStream().readNBytes(bytes, 0, bytes.length);
                socket.startHandshake(); // in TLS 1.3: new keys, and the other end is asked for its
            }
            received.complete(sum);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            received.completeExceptionally(e);
        }
    }
}
