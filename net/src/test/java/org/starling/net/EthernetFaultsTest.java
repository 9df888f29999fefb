package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What bad peers, broken sockets and dead processes do to a node: nothing but the end of their
 * connection.
 */
@Timeout(60)
class EthernetFaultsTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);
    private static final int STRANGER = 9;

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void closesAConnectionThatCarriesGarbageCountsItAndServesTheOthers(Pair.Kind kind)
            throws Exception {
        sendGarbage(kind, kind.rounds(20));
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void closesManyConnectionsThatCarryGarbage(Pair.Kind kind) throws Exception {
        sendGarbage(kind, kind.rounds(200));
    }

    private static void sendGarbage(Pair.Kind kind, int rounds) throws Exception {
        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(1);
            node.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(q.number(), ""));
            pair.node(2).call(1, new Ask(1), SECONDS_5);
            for (int seed = 0; seed < rounds; seed++) {
                byte[] garbage = new byte[1 + new Random(seed).nextInt(5_000)];
                new Random(seed).nextBytes(garbage);
                garbage[0] =
                        (byte) 0xFF; // no seed makes a small frame that merely waits for its rest
                try (RawPeer peer = pair.rawPeer(1).shakeHands(STRANGER, 0)) {
                    peer.write(RawPeer.frame(1, 55, new byte[3]), 0, 16);
                    peer.write(RawPeer.frame(0x7F00, 1, garbage), 0, 8);

                    assertThat(peer.isClosedByPeer()).as("seed %d", seed).isTrue();
                }
            }

            assertThat(node.statistics().malformed()).isEqualTo(rounds);
            assertThat(pair.node(2).call(1, new Ask(2), SECONDS_5).number()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void goesOnWhenAStrangerAsksForWhatNobodyServes(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(1);
            int request = 2;
            try (RawPeer peer = pair.rawPeer(1).shakeHands(STRANGER, 0)) {
                byte[] frame = RawPeer.frame(request, Ask.TYPE.id(), new byte[8]);
                peer.write(frame, 0, frame.length);
                await(() -> node.statistics().unhandled() == 1);
            }

            node.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(q.number(), ""));
            assertThat(pair.node(2).call(1, new Ask(2), SECONDS_5).number()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void survivesRandomBytesWhereverTheyMayLead(Pair.Kind kind) throws Exception {
        sendRandomBytes(kind, kind.rounds(100));
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void survivesManyRandomBytes(Pair.Kind kind) throws Exception {
        sendRandomBytes(kind, kind.rounds(1_000));
    }

    private static void sendRandomBytes(Pair.Kind kind, int rounds) throws Exception {
        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(1);
            node.serve(Ask.TYPE, Execution.WORKER, (source, q) -> new Text(q.number(), ""));
            node.handle(Text.TYPE, Execution.ORDERED, (source, m) -> {});
            for (int seed = 0; seed < rounds; seed++) {
                Random random = new Random(seed);
                try (RawPeer peer = pair.rawPeer(1).shakeHands(STRANGER, 0)) {
                    byte[] payload = new byte[random.nextInt(200)];
                    random.nextBytes(payload);
                    int type = random.nextBoolean() ? Text.TYPE.id() : Ask.TYPE.id();
                    byte[] frame = RawPeer.frame(1 + random.nextInt(8), type, payload);
                    peer.write(frame, 0, frame.length);
                }
            }

            assertThat(pair.node(2).call(1, new Ask(2), SECONDS_5).number()).isEqualTo(2);
            assertThat(node.statistics().malformed()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void refusesAnnouncedSizesPastTheLimitsWithoutAllocating(Pair.Kind kind) throws Exception {
        byte[] hugeFragment = new byte[16];
        hugeFragment[4] = 1; // a message
        hugeFragment[5] = 1; // its first fragment
        hugeFragment[14] = 0x7F; // of 2^53 bytes and more

        try (Pair pair = new Pair(kind)) {
            pair.node(1);
            long before = NativeMemory.reservedBytes();
            try (RawPeer peer = pair.rawPeer(1).shakeHands(STRANGER, 0)) {
                peer.write(RawPeer.frame(6, 0, hugeFragment), 0, 24);

                assertThat(peer.isClosedByPeer()).isTrue();
            }

            assertThat(pair.node(1).statistics().malformed()).isEqualTo(1);
            assertThat(NativeMemory.reservedBytes() - before).isLessThan(1 << 20);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void refusesStrangersAndOtherClusters(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            pair.node(1);
            try (RawPeer peer = pair.rawPeer(1)) {
                byte[] hello =
                        String.join("\r\n", "GET / HTTP/1.1", "Host: x", "Accept: */*", "", "")
                                .getBytes(StandardCharsets.US_ASCII);
                peer.write(hello, 0, hello.length);
                assertThat(peer.isClosedByPeer()).isTrue();
            }
            try (RawPeer peer = pair.rawPeer(1)) {
                assertThatThrownBy(() -> peer.shakeHands(STRANGER, 4711))
                        .isInstanceOf(IOException.class);
            }

            assertThat(pair.node(1).statistics().refused()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void turnsAwayWhoConnectsAndSaysNothing(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withConnectTimeout(Duration.ofMillis(300));

        try (Pair pair = new Pair(kind, config)) {
            pair.node(1);
            try (RawPeer peer = pair.rawPeer(1)) {
                assertThat(peer.isClosedByPeer()).isTrue();
            }

            assertThat(pair.node(1).statistics().refused()).isEqualTo(1);
        }
    }

    @Test
    void failsInTimeWhenTheOtherEndNeverShakesHands() throws Exception {
        TestLimits config = TestLimits.defaults().withConnectTimeout(Duration.ofMillis(300));
        InetAddress local = InetAddress.getLoopbackAddress();

        try (ServerSocket mute = new ServerSocket(0, 5, local)) {
            Transport transport =
                    Transports.ethernet(
                            new InetSocketAddress(local, 0), node -> address(mute.getLocalPort()));
            try (Network network = config.open(1, transport)) {
                assertThatThrownBy(() -> network.send(2, new Text(1, "")))
                        .isInstanceOf(NodeLostException.class)
                        .hasMessageContaining("300 ms");
            }
        }
    }

    @Test
    void saysWhenANodeCanNotBeReached() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Transport transport = Transports.ethernet(address(0), node -> address(port));

        try (Network network = Network.open(1, transport, NetConfig.defaults())) {
            assertThatThrownBy(() -> network.call(2, new Ask(1), SECONDS_5))
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("can't be reached");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ETHERNET.*", mode = EnumSource.Mode.MATCH_ANY)
    void understandsFramesHoweverTheNetworkCutsThem(Pair.Kind kind) throws Exception {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            int count = 300;
            List<Integer> seen = new ArrayList<>();
            CountDownLatch all = new CountDownLatch(count);
            TestLimits config = TestLimits.defaults().withIncomingBufferBytes(4 << 10);
            try (Pair pair = new Pair(kind, config)) {
                pair.node(1)
                        .handleRaw(
                                3,
                                (source, address, bytes) -> {
                                    boolean isWhole =
                                            NativeMemory.getByte(address + bytes - 1)
                                                            == (byte) bytes
                                                    && (address & 7) == 0;
                                    seen.add(isWhole ? NativeMemory.getInt(address) : -1);
                                    all.countDown();
                                });
                try (RawPeer peer = pair.rawPeer(1).shakeHands(STRANGER, 0)) {
                    sendInPieces(peer, random, count);

                    assertThat(all.await(20, TimeUnit.SECONDS)).as("seed %d", seed).isTrue();
                    assertThat(seen).as("seed %d", seed).isSorted().doesNotContain(-1);
                }
            }
        }
    }

    @Test
    void closesAConnectionWhoseReceiverConfirmsWhatWasNeverSent() throws Exception {
        InetAddress local = InetAddress.getLoopbackAddress();

        try (ServerSocket liar = new ServerSocket(0, 5, local)) {
            Transport transport =
                    Transports.ethernet(address(0), node -> address(liar.getLocalPort()));
            CompletableFuture<Void> lies = CompletableFuture.runAsync(() -> lie(liar));
            try (Network network = Network.open(1, transport, NetConfig.defaults())) {
                network.send(2, new Text(1, ""));
                lies.get(5, TimeUnit.SECONDS);

                await(() -> network.statistics().lost() == 1);
                assertThat(network.statistics().malformed()).isEqualTo(1);
            }
        }
    }

    @Test
    void reportsTheLossOfAKilledProcessToCallersAndListeners() throws Exception {
        CompletableFuture<InetSocketAddress> childAddress = new CompletableFuture<>();
        Transport transport =
                Transports.ethernet(address(0), node -> node == 2 ? childAddress.join() : null);
        CountDownLatch lost = new CountDownLatch(1);

        try (Network network = Network.open(1, transport, NetConfig.defaults())) {
            network.onNodeLost(node -> lost.countDown());
            Process child = startChild(Objects.requireNonNull(network.localAddress()).getPort());
            try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
                childAddress.complete(address(port(output)));
                assertThat(network.call(2, new Ask(3), SECONDS_5)).isEqualTo(new Text(3, "child"));
                CompletableFuture<Text> unanswered =
                        network.request(2, new Ask(-1), Duration.ofSeconds(30));
                child.destroyForcibly();

                assertThatThrownBy(() -> unanswered.get(10, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(NodeLostException.class);
                assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
            } finally {
                child.destroyForcibly().waitFor();
            }
        }
    }

    private static void sendInPieces(RawPeer peer, Random random, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[4 + random.nextInt(1_500)];
            payload[0] = (byte) i;
            payload[1] = (byte) (i >> 8);
            payload[payload.length - 1] = (byte) payload.length;
            if (payload.length == 4) {
                payload = new byte[] {(byte) i, (byte) (i >> 8), 0, 0, 5};
            }
            byte[] frame = RawPeer.frame(5, 3, payload);
            int done = 0;
            while (done < frame.length) {
                int piece = Math.min(frame.length - done, 1 + random.nextInt(700));
                peer.write(frame, done, piece);
                done += piece;
            }
        }
    }

    /** Answers one handshake as node 2 and confirms a million bytes. */
    private static void lie(ServerSocket server) {
        try (RawPeer peer = new RawPeer(server.accept())) {
            peer.answerHandshake(2);
            peer.readFrameHeader(); // by then the sender has connected
            byte[] position = {
                0x40,
                0x42,
                0x0F,
                0,
                0,
                0,
                0,
                0,
                (byte) ~0x40,
                (byte) ~0x42,
                ~0x0F,
                -1,
                -1,
                -1,
                -1,
                -1
            };
            peer.write(position, 0, 16);
            peer.isClosedByPeer();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Process startChild(int parentPort) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChildNode.class.getName(),
                        Integer.toString(parentPort),
                        Pair.Kind.ETHERNET.name())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int port(BufferedReader output) throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith("port ")) {
            line = output.readLine();
        }
        return Integer.parseInt(Objects.requireNonNull(line, "the child has ended").substring(5));
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            Thread.sleep(5);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
