package org.starling.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Figures for developers, no test: one way and round trip, between two JVMs over 127.0.0.1 or
 * inside one.
 *
 * <p>{@code Speed server PORT MYPORT KIND WAITING}, {@code Speed client PORT MYPORT KIND WAITING}
 * with a {@link Pair.Kind}, or {@code Speed loopback WAITING}.
 */
final class Speed {

    private static final int RAW = 1;
    private static final int RAW_PING = 2;
    private static final int RAW_PONG = 3;
    private static final MessageType<Small> SMALL =
            new MessageType<>(200, "small", in -> new Small(in.readLong(), in.readLong()));

    private record Small(long a, long b) implements Message {
        @Override
        public MessageType<Small> type() {
            return SMALL;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(a);
            out.writeLong(b);
        }
    }

    private final Network network;
    private long received;
    private long sum;
    private volatile long pong;
    private volatile @Nullable Turns turns;

    private Speed(Network network) {
        this.network = network;
    }

    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ROOT);
        NetConfig config = NetConfig.defaults().withWaiting(Waiting.valueOf(args[args.length - 1]));
        if (args[0].equals("loopback")) {
            LoopbackHub hub = new LoopbackHub();
            try (Network a = Network.open(1, Transports.loopback(hub), config);
                    Network b = Network.open(2, Transports.loopback(hub), config)) {
                new Speed(b).serve();
                new Speed(a).measure(2);
            }
            return;
        }
        int mine = args[0].equals("server") ? 2 : 1;
        int serverPort = Integer.parseInt(args[1]);
        int clientPort = Integer.parseInt(args[2]);
        InetAddress local = InetAddress.getLoopbackAddress();
        Transport transport =
                Pair.Kind.valueOf(args[3])
                        .transport(
                                new InetSocketAddress(local, mine == 2 ? serverPort : clientPort),
                                node ->
                                        new InetSocketAddress(
                                                local, node == 2 ? serverPort : clientPort),
                                new LoopbackHub());
        try (Network network = Network.open(mine, transport, config)) {
            Speed speed = new Speed(network);
            if (mine == 2) {
                speed.serve();
                CountDownLatch gone = new CountDownLatch(1);
                network.onNodeLost(node -> gone.countDown());
                gone.await(120, TimeUnit.SECONDS);
            } else {
                speed.measure(2);
            }
        }
    }

    private void serve() {
        network.handleRaw(
                RAW,
                (source, address, bytes) -> {
                    received++;
                    sum += NativeMemory.getLong(address);
                });
        network.handle(
                SMALL,
                Execution.INLINE,
                (source, m) -> {
                    received++;
                    sum += m.a();
                });
        network.serve(
                Ask.TYPE,
                Execution.INLINE,
                (source, q) -> {
                    long count = received;
                    received = 0;
                    return new Text((int) count, "");
                });
        network.handleRaw(
                RAW_PING,
                (source, address, bytes) -> {
                    RawSender sender = network.raw(source);
                    long to = sender.claim(RAW_PONG, bytes);
                    NativeMemory.copy(address, to, bytes);
                    sender.commit();
                });
    }

    private void measure(int node) throws Exception {
        network.handleRaw(
                RAW_PONG,
                (source, address, bytes) -> {
                    pong = NativeMemory.getLong(address);
                    Turns present = turns;
                    if (present != null) {
                        present.next();
                    }
                });
        network.call(node, new Ask(0), Duration.ofSeconds(10));
        if (network.config().waiting() == Waiting.SPIN) { // more threads than these need more cores
            for (int round = 0; round < 3; round++) {
                turns(node, 16, 200_000);
                turns(node, 1024, 200_000);
            }
            return;
        }
        for (int bytes : new int[] {16, 64, 1024, 64 << 10}) {
            for (int round = 0; round < 4; round++) {
                raw(node, bytes, Math.min(20_000_000L, (1L << 30) / bytes));
            }
        }
        for (int round = 0; round < 4; round++) {
            objects(node, 4_000_000);
        }
        for (int round = 0; round < 3; round++) {
            roundTrips(node, 20_000);
            turns(node, 16, 200_000);
            turns(node, 1024, 200_000);
            calls(node, 20_000);
        }
    }

    private void raw(int node, int bytes, long count) throws Exception {
        RawSender sender = network.raw(node);
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            NativeMemory.putLong(sender.claim(RAW, bytes), i);
            sender.commit();
        }
        sender.flush();
        long arrived = network.call(node, new Ask(0), Duration.ofSeconds(30)).number();
        report("raw " + bytes + " B", count, arrived, bytes, System.nanoTime() - start);
    }

    private void objects(int node, long count) throws Exception {
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            network.send(node, new Small(i, i));
        }
        long arrived = network.call(node, new Ask(0), Duration.ofSeconds(30)).number();
        report("objects 16 B", count, arrived, 16, System.nanoTime() - start);
    }

    private void report(String what, long count, long arrived, int bytes, long nanos) {
        NetStatistics.Connection connection =
                network.statistics()
                        .connections()
                        .get(network.statistics().connections().size() - 1);
        System.out.printf(
                "%-14s %8.2f M/s %8.2f GB/s  arrived %s  aggregation %.0f stalls %d%n",
                what,
                count * 1e3 / nanos,
                (double) count * bytes / nanos,
                arrived == count,
                connection.aggregationFactor(),
                connection.stalls());
    }

    private void roundTrips(int node, int count) {
        RawSender sender = network.raw(node);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            NativeMemory.putLong(sender.claim(RAW_PING, 16), i + 1);
            sender.commit();
            while (pong != i + 1) {
                Thread.onSpinWait();
            }
            nanos[i] = System.nanoTime() - start;
        }
        percentiles("raw round trip", nanos);
    }

    /** Round trips from handler to handler, both INLINE: no thread but the receiving ones works. */
    private final class Turns {
        private final RawSender sender;
        private final int bytes;
        private final long[] nanos;
        private final CountDownLatch done = new CountDownLatch(1);
        private int index;
        private long start;

        Turns(int node, int bytes, int count) {
            this.sender = network.raw(node);
            this.bytes = bytes;
            this.nanos = new long[count];
        }

        void begin() {
            start = System.nanoTime();
            NativeMemory.putLong(sender.claim(RAW_PING, bytes), index);
            sender.commit();
        }

        void next() {
            nanos[index++] = System.nanoTime() - start;
            if (index < nanos.length) {
                begin();
            } else {
                done.countDown();
            }
        }
    }

    private void turns(int node, int bytes, int count) throws InterruptedException {
        Turns rounds = new Turns(node, bytes, count);
        turns = rounds;
        rounds.begin();
        rounds.done.await();
        turns = null;
        percentiles("inline " + bytes + " B", rounds.nanos);
    }

    private void calls(int node, int count) throws Exception {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            network.call(node, new Ask(0), Duration.ofSeconds(10));
            nanos[i] = System.nanoTime() - start;
        }
        percentiles("call", nanos);
    }

    private static void percentiles(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%-14s p50 %.1f us p99 %.1f us%n",
                what, nanos[nanos.length / 2] / 1e3, nanos[nanos.length * 99 / 100] / 1e3);
    }
}
