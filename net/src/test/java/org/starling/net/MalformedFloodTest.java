package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Strangers send handshakes and frames that were good before they were changed, each over a socket
 * of its own, until a node has turned away so many of them. It must close every such socket, hold
 * nothing back for them, and serve its healthy connection all the while. {@code
 * -Dstarling.flood.seed=N} gives a seed back, {@code -Dstarling.flood.frames=N} makes the long
 * flood shorter or longer.
 */
class MalformedFloodTest {

    private static final long SEED = Long.getLong("starling.flood.seed", 1);
    private static final long MANY = Long.getLong("starling.flood.frames", 1_000_000);
    private static final int ATTACKERS = 3;
    private static final int HEALTHY = 2;
    private static final int FIRST_STRANGER = 100;
    private static final int RAW_TYPE = 3;

    /** What no header begins with. */
    private static final byte[] NONSENSE = HexFormat.of().parseHex("ffffffffffffffff");

    /** Long enough for a machine whose cores others have: what hangs does so for ever. */
    private static final int HANG_MILLIS = 30_000;

    private static final long MAX_WARM_UP = 10_000;

    /** Between two requests of the healthy node, which would take a whole core without it. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final TestLimits CONFIG =
            TestLimits.defaults()
                    .withWorkers(2, 4)
                    .withRingBytes(64 << 10)
                    .withIncomingBufferBytes(32 << 10)
                    .withMaxMessageBytes(1 << 20);

    /** Receive buffers and large messages under way: what all sockets of a moment may hold. */
    private static final long MAX_GROWTH_BYTES = 4L << 20;

    private static final int MAX_GROWTH_THREADS = 8;
    private static final int MAX_GROWTH_FILES = 16;

    @Test
    @Timeout(60)
    void servesOnWhileAThousandMalformedFramesCome() throws Exception {
        flood(1_000);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void servesOnWhileAMillionMalformedFramesCome() throws Exception {
        System.out.println(MANY + " turned away: " + flood(MANY));
    }

    /** Returns what was used before and after. */
    private static String flood(long count) throws Exception {
        try (Pair pair = new Pair(Pair.Kind.ETHERNET, CONFIG)) {
            Network node = pair.node(1);
            Healthy healthy = new Healthy(node, pair.node(2));
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> health = healthy.start(isOver);
            attack(pair, Math.min(count / 10, MAX_WARM_UP), 0);
            Usage before = Usage.now();

            attack(pair, count, 1);

            Usage after = Usage.now();
            isOver.set(true);
            long sent = health.get(20, TimeUnit.SECONDS);
            healthy.awaitReceived(sent);
            assertThat(sent).isPositive();
            assertThat(node.statistics().handlerFailures()).isZero();
            assertThat(pair.node(2).statistics().lost()).isZero();
            assertThat(after.nativeBytes - before.nativeBytes).isLessThan(MAX_GROWTH_BYTES);
            assertThat(after.threads - before.threads).isLessThan(MAX_GROWTH_THREADS);
            assertThat(after.files - before.files).isLessThan(MAX_GROWTH_FILES);
            return before + ", then " + after;
        }
    }

    /** Attacks until so many more have been turned away. */
    private static void attack(Pair pair, long count, int round) throws Exception {
        Network node = pair.node(1);
        long until = turnedAway(node) + count;
        List<CompletableFuture<Void>> attackers = new ArrayList<>();
        for (int i = 0; i < ATTACKERS; i++) {
            Attacker attacker =
                    new Attacker(new Random(SEED * 1_000 + round * 100L + i), FIRST_STRANGER + i);
            attackers.add(
                    CompletableFuture.runAsync(
                            () -> {
                                while (turnedAway(node) < until) {
                                    attacker.attack(pair);
                                }
                            },
                            task -> Thread.ofPlatform().start(task)));
        }
        for (CompletableFuture<Void> attacker : attackers) {
            attacker.get();
        }
    }

    private static long turnedAway(Network node) {
        NetStatistics statistics = node.statistics();
        return statistics.malformed() + statistics.refused();
    }

    /** Node 2, which sends to node 1 and asks it all the while. */
    private static final class Healthy {
        private final Network node;
        private final Network sender;
        private final AtomicLong received = new AtomicLong();

        Healthy(Network node, Network sender) {
            this.node = node;
            this.sender = sender;
            node.handle(Text.TYPE, Execution.ORDERED, (source, m) -> {});
            node.serve(
                    Ask.TYPE,
                    Execution.WORKER,
                    (source, q) -> new Text(q.number(), Arrays.toString(q.load())));
            node.handleRaw(
                    RAW_TYPE,
                    (source, address, bytes) -> {
                        if (source == 2) {
                            long expected = received.incrementAndGet();
                            assertThat(NativeMemory.getLong(address)).isEqualTo(expected);
                        }
                    });
        }

        /** Returns how much it has sent. */
        CompletableFuture<Long> start(AtomicBoolean isOver) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        RawSender raw = sender.raw(node.nodeId());
                        long sent = 0;
                        while (!isOver.get()) {
                            for (int i = 0; i < 20; i++) {
                                NativeMemory.putLong(raw.claim(RAW_TYPE, Long.BYTES), ++sent);
                                raw.commit();
                            }
                            Ask ask = new Ask((int) sent, new byte[] {(byte) sent});
                            Text answer = call(ask);
                            assertThat(answer)
                                    .isEqualTo(new Text(ask.number(), Arrays.toString(ask.load())));
                            LockSupport.parkNanos(PAUSE_NANOS);
                        }
                        return sent;
                    },
                    task -> Thread.ofPlatform().start(task));
        }

        private Text call(Ask ask) {
            try {
                return sender.call(node.nodeId(), ask, Duration.ofMillis(HANG_MILLIS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void awaitReceived(long count) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (received.get() < count && System.nanoTime() - deadline < 0) {
                Thread.sleep(2);
            }
            assertThat(received).hasValue(count);
        }
    }

    /** One stranger. Confined to one thread. */
    private static final class Attacker {
        private final Random random;
        private final Mutator mutator;
        private final int id;
        private final byte[] sink = new byte[4096];
        private long resets;

        Attacker(Random random, int id) {
            this.random = random;
            this.mutator = new Mutator(random);
            this.id = id;
        }

        /** Sends something bad, and waits until the node has hung up. */
        void attack(Pair pair) {
            byte[] bytes = stream();
            try (Socket socket =
                    new Socket(pair.address(1).getAddress(), pair.address(1).getPort())) {
                socket.setSoTimeout(HANG_MILLIS);
                socket.setSoLinger(true, 0); // leaves no port behind
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
                while (socket.getInputStream().read(sink) >= 0) {
                    // answers of the node
                }
            } catch (SocketException e) {
                resets++; // an end, too
            } catch (IOException e) {
                throw new IllegalStateException(
                        "the node hangs on to " + describe(bytes) + " after " + resets + " resets",
                        e);
            }
        }

        private byte[] stream() {
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            byte[] hello = RawPeer.handshake(id, 0);
            boolean isBadHello = random.nextInt(8) == 0;
            stream.writeBytes(isBadHello ? handshake(hello) : hello);
            for (int i = random.nextInt(3); i > 0; i--) {
                stream.writeBytes(goodFrames());
            }
            byte[] bad = mutator.mutate(goodFrames());
            if (bad.length >= 8 && random.nextInt(3) > 0) {
                bad[7] = check(bad); // so that it is looked at
            }
            stream.writeBytes(bad);
            stream.writeBytes(NONSENSE); // many a change makes no difference
            return stream.toByteArray();
        }

        private byte[] handshake(byte[] hello) {
            byte[] bad = mutator.mutate(hello);
            ByteBuffer fields = ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN);
            if (bad.length >= 20 && fields.getInt(16) == HEALTHY) {
                fields.putInt(16, id); // who says that it is node 2 takes its place: no stranger
            }
            if (bad.length >= 28 && random.nextBoolean()) {
                fields.putInt(24, crc(bad, 0, 24));
            }
            return bad;
        }

        private byte[] goodFrames() {
            byte[] text = new byte[16 + random.nextInt(40)];
            random.nextBytes(text);
            ByteBuffer payload = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
            return switch (random.nextInt(8)) {
                case 0 -> RawPeer.frame(1, Text.TYPE.id(), message(payload));
                case 1 -> RawPeer.frame(2, Ask.TYPE.id(), message(payload.putLong(7)));
                case 2 -> RawPeer.frame(3, Text.TYPE.id(), message(payload.putLong(7)));
                case 3 -> RawPeer.frame(4, 0, used(payload.putLong(7).put(new byte[] {1, 'X', 0})));
                case 4 -> RawPeer.frame(5, RAW_TYPE, text);
                case 5 -> fragments(payload);
                case 6 -> skip();
                default -> RawPeer.frame(8, 0, new byte[0]);
            };
        }

        /** A number, and a string or bytes. */
        private byte[] message(ByteBuffer payload) {
            byte[] letters = "flood".getBytes(StandardCharsets.US_ASCII);
            return used(payload.putInt(random.nextInt()).put((byte) letters.length).put(letters));
        }

        private byte[] fragments(ByteBuffer payload) {
            byte[] whole = message(ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN));
            int stream = random.nextInt(3);
            payload.putInt(stream).put((byte) 1).put((byte) 1).putShort((short) Text.TYPE.id());
            payload.putLong(whole.length).put(whole, 0, 4);
            byte[] first = RawPeer.frame(6, 0, used(payload));
            payload.clear();
            payload.putInt(stream).put((byte) 1).put((byte) 2).putShort((short) Text.TYPE.id());
            payload.put(whole, 4, whole.length - 4);
            byte[] last = RawPeer.frame(6, 0, used(payload));
            byte[] both = Arrays.copyOf(first, first.length + last.length);
            System.arraycopy(last, 0, both, first.length, last.length);
            return both;
        }

        /** Only its header travels. */
        private byte[] skip() {
            return Arrays.copyOf(RawPeer.frame(7, 0, new byte[8 * random.nextInt(4)]), 8);
        }

        private static byte check(byte[] frame) {
            byte check = (byte) 0xA5;
            for (int i = 0; i < 7; i++) {
                check ^= frame[i];
            }
            return check;
        }

        private static int crc(byte[] bytes, int from, int count) {
            CRC32C sum = new CRC32C();
            sum.update(bytes, from, count);
            return (int) sum.getValue();
        }

        private static byte[] used(ByteBuffer payload) {
            byte[] used = new byte[payload.position()];
            payload.get(0, used);
            return used;
        }

        private static String describe(byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
    }

    /** What could grow. */
    private record Usage(long nativeBytes, int threads, int files) {

        static Usage now() {
            String[] files = new File("/proc/self/fd").list();
            return new Usage(
                    NativeMemory.reservedBytes(),
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    files == null ? 0 : files.length);
        }
    }
}
