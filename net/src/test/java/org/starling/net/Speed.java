package org.starling.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Figures for developers, no test: one way and round trip, between two JVMs over 127.0.0.1 or
 * inside one, beside plain sockets and a memory copy in the same run.
 *
 * <p>{@code Speed server PORT MYPORT KIND WAITING}, {@code Speed client PORT MYPORT KIND WAITING
 * SCENARIO...} with a {@link Pair.Kind}, or {@code Speed loopback WAITING SCENARIO...}. Scenarios:
 * {@code raw=BYTES}, {@code objects}, {@code senders=THREADS}, {@code connections=COUNT}, {@code
 * trips}, {@code turns}, {@code calls}, and the baselines {@code nio=BYTES}, {@code nio-spin},
 * {@code nio-sleep}, {@code copy=BYTES}.
 */
final class Speed {

    private static final int RAW = 1;
    private static final int RAW_PING = 2;
    private static final int RAW_PONG = 3;
    private static final int SERVER = 2;

    /** Nodes of the server's process; the others than the first are used by connections=COUNT. */
    private static final int SERVERS = 64;

    private static final int ROUNDS = Integer.getInteger("rounds", 3);
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
    private final InetSocketAddress nio;
    private long received;
    private long sum;
    private volatile long pong;
    private volatile @Nullable Turns turns;

    private Speed(Network network, InetSocketAddress nio) {
        this.network = network;
        this.nio = nio;
    }

    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ROOT);
        if (args[0].equals("loopback")) {
            loopback(args);
            return;
        }
        int serverPort = Integer.parseInt(args[1]);
        int clientPort = Integer.parseInt(args[2]);
        InetAddress local = InetAddress.getLoopbackAddress();
        AddressBook book =
                node ->
                        new InetSocketAddress(
                                local, node == 1 ? clientPort : serverPort + 10 * (node - SERVER));
        InetSocketAddress nio = new InetSocketAddress(local, serverPort + 5);
        NetConfig config = config(args[4]);
        Pair.Kind kind = Pair.Kind.valueOf(args[3]);
        if (args[0].equals("server")) {
            serve(kind, book, config, nio);
            return;
        }
        try (Network network = Network.open(1, transport(kind, book, 1), config)) {
            new Speed(network, nio).measure(args, 5);
        }
    }

    private static void loopback(String[] args) throws Exception {
        LoopbackHub hub = new LoopbackHub();
        InetSocketAddress nowhere = new InetSocketAddress(0);
        List<Network> servers = new ArrayList<>();
        try (Network client = Network.open(1, Transports.loopback(hub), config(args[1]))) {
            for (int i = 0; i < SERVERS; i++) {
                Network server =
                        Network.open(SERVER + i, Transports.loopback(hub), config(args[1]));
                servers.add(server);
                new Speed(server, nowhere).serve();
            }
            new Speed(client, nowhere).measure(args, 2);
        } finally {
            servers.forEach(Network::close);
        }
    }

    private static void serve(
            Pair.Kind kind, AddressBook book, NetConfig config, InetSocketAddress nio)
            throws Exception {
        RawNio.serve(nio);
        List<Network> servers = new ArrayList<>();
        CountDownLatch gone = new CountDownLatch(1);
        int count = config.waiting() == Waiting.SPIN ? 1 : SERVERS;
        for (int i = 0; i < count; i++) {
            Network server = Network.open(SERVER + i, transport(kind, book, SERVER + i), config);
            servers.add(server);
            new Speed(server, nio).serve();
            server.onNodeLost(node -> gone.countDown());
        }
        gone.await(120, TimeUnit.SECONDS);
        servers.forEach(Network::close);
    }

    private static NetConfig config(String waiting) {
        return NetConfig.defaults().withWaiting(Waiting.valueOf(waiting));
    }

    private static Transport transport(Pair.Kind kind, AddressBook book, int node) {
        return kind.transport(
                Objects.requireNonNull(book.addressOf(node)), book, new LoopbackHub());
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

    private void measure(String[] args, int from) throws Exception {
        network.handleRaw(
                RAW_PONG,
                (source, address, bytes) -> {
                    pong = NativeMemory.getLong(address);
                    Turns present = turns;
                    if (present != null) {
                        present.next();
                    }
                });
        network.call(SERVER, new Ask(0), Duration.ofSeconds(10));
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = from; i < args.length; i++) {
                String[] scenario = args[i].split("=", 2);
                measure(scenario[0], scenario.length < 2 ? 0 : Integer.parseInt(scenario[1]));
            }
        }
    }

    private void measure(String scenario, int size) throws Exception {
        switch (scenario) {
            case "raw" -> senders("raw " + size + " B", 1, 1, size);
            case "senders" -> senders(size + " senders", size, 1, 16);
            case "connections" -> senders(size + " connections", 1, size, 16);
            case "connections1024" -> senders(size + " conn. 1 KiB", 1, size, 1024);
            case "objects" -> objects(4_000_000);
            case "trips" -> {
                roundTrips(16, 20_000);
                roundTrips(1024, 20_000);
            }
            case "turns" -> {
                turns(16, 50_000);
                turns(1024, 50_000);
            }
            case "calls" -> calls(20_000);
            default -> baseline(scenario, size);
        }
    }

    private void baseline(String scenario, int size) throws IOException {
        if (scenario.equals("copy")) {
            copy(size);
            return;
        }
        RawNio raw = RawNio.connect(nio);
        if (scenario.equals("nio")) {
            long count = count(size);
            raw.oneWay(size, count / 10);
            double rate = raw.oneWay(size, count);
            System.out.printf(
                    "%-16s %8.2f M/s %8.2f GB/s%n",
                    "nio " + size + " B", rate / 1e6, rate * size / 1e9);
        } else {
            boolean isSpinning = scenario.equals("nio-spin");
            for (int bytes : new int[] {16, 1024}) {
                percentiles(
                        scenario + " " + bytes + " B",
                        raw.roundTrips(bytes, isSpinning ? 50_000 : 20_000, isSpinning));
            }
        }
        raw.close();
    }

    private static long count(int bytes) {
        return Math.min(20_000_000L, (2L << 30) / bytes);
    }

    /** Copies between two regions that no cache of the first level holds. */
    private static void copy(int bytes) {
        long size = 1L << 20;
        long from = NativeMemory.reserve(size);
        long to = NativeMemory.reserve(size);
        NativeMemory.fill(from, size, (byte) 1);
        long start = System.nanoTime();
        long count = 100_000;
        for (long i = 0; i < count; i++) {
            long at = i * bytes & size - 1;
            NativeMemory.copy(from + at, to + at, bytes);
        }
        double nanos = System.nanoTime() - start;
        System.out.printf(
                "%-16s %8.2f M/s %8.2f GB/s%n",
                "copy " + bytes + " B", count * 1e3 / nanos, count * bytes / nanos);
        NativeMemory.release(from, size);
        NativeMemory.release(to, size);
    }

    private void senders(String what, int threads, int nodes, int bytes) throws Exception {
        for (int node = SERVER; node < SERVER + nodes; node++) {
            network.call(node, new Ask(0), Duration.ofSeconds(10));
        }
        long count = count(bytes) / threads;
        List<Thread> others = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 1; i < threads; i++) {
            others.add(Thread.ofPlatform().start(() -> send(nodes, bytes, count)));
        }
        send(nodes, bytes, count);
        for (Thread thread : others) {
            thread.join();
        }
        long arrived = 0;
        for (int node = SERVER; node < SERVER + nodes; node++) {
            arrived += network.call(node, new Ask(0), Duration.ofSeconds(30)).number();
        }
        report(what, count * threads, arrived, bytes, System.nanoTime() - start);
    }

    private void send(int nodes, int bytes, long count) {
        RawSender[] senders = new RawSender[nodes];
        for (int i = 0; i < nodes; i++) {
            senders[i] = network.raw(SERVER + i);
        }
        int next = 0;
        for (long i = 0; i < count; i++) {
            RawSender sender = senders[next];
            next = next + 1 == nodes ? 0 : next + 1;
            NativeMemory.putLong(sender.claim(RAW, bytes), i);
            sender.commit();
        }
        for (RawSender sender : senders) {
            sender.flush();
        }
    }

    private void objects(long count) throws Exception {
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            network.send(SERVER, new Small(i, i));
        }
        long arrived = network.call(SERVER, new Ask(0), Duration.ofSeconds(30)).number();
        report("objects 16 B", count, arrived, 16, System.nanoTime() - start);
    }

    private void report(String what, long count, long arrived, int bytes, long nanos) {
        long frames = 0;
        long writes = 0;
        long stalls = 0;
        for (NetStatistics.Connection connection : network.statistics().connections()) {
            frames += connection.sentMessages();
            writes += connection.writes();
            stalls += connection.stalls();
        }
        System.out.printf(
                "%-16s %8.2f M/s %8.2f GB/s  arrived %s  aggregation %.0f stalls %d%n",
                what,
                count * 1e3 / nanos,
                (double) count * bytes / nanos,
                arrived == count,
                (double) (frames - seenFrames) / (writes - seenWrites),
                stalls - seenStalls);
        seenFrames = frames;
        seenWrites = writes;
        seenStalls = stalls;
    }

    private long seenFrames;
    private long seenWrites;
    private long seenStalls;

    private void roundTrips(int bytes, int count) {
        RawSender sender = network.raw(SERVER);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            NativeMemory.putLong(sender.claim(RAW_PING, bytes), i + 1);
            sender.commit();
            while (pong != i + 1) {
                Thread.onSpinWait();
            }
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        percentiles("trip " + bytes + " B", nanos);
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

    private void turns(int bytes, int count) throws InterruptedException {
        Turns rounds = new Turns(SERVER, bytes, count);
        turns = rounds;
        rounds.begin();
        rounds.done.await();
        turns = null;
        Arrays.sort(rounds.nanos);
        percentiles("inline " + bytes + " B", rounds.nanos);
    }

    private void calls(int count) throws Exception {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            network.call(SERVER, new Ask(0), Duration.ofSeconds(10));
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        percentiles("call", nanos);
    }

    private static void percentiles(String what, long[] nanos) {
        System.out.printf(
                "%-16s p50 %.1f us p99 %.1f us%n",
                what, nanos[nanos.length / 2] / 1e3, nanos[nanos.length * 99 / 100] / 1e3);
    }
}
