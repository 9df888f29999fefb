package org.starling.net;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;
import org.starling.net.internal.tls.NodeNames;

/**
 * One of several nodes that send to each other as fast as they can for some seconds; each in a
 * process of its own. Arguments: line, folder of keys, own node id (from 0), seconds, ports of all
 * nodes. Every block and message has a number and a checksum. Prints a line of figures and ends
 * with 1 when something was wrong. Itself it makes no garbage for a block, so that collections tell
 * of what it tests.
 *
 * <p>Threads: a sender per other node; what is received is checked on the receiving thread (blocks)
 * and on workers (messages).
 */
final class SoakNode {

    /** What the nodes are joined by. */
    enum Line {
        ETHERNET(Pair.Kind.ETHERNET),
        TLS(Pair.Kind.ETHERNET_TLS),
        POSIX(Pair.Kind.INFINIBAND_POSIX),
        TCP(Pair.Kind.INFINIBAND_TCP);

        private final Pair.Kind kind;

        Line(Pair.Kind kind) {
            this.kind = kind;
        }

        /** Whether this machine has what it needs. */
        boolean isAvailable() {
            return kind.isAvailable();
        }

        /** Writes what all nodes prove themselves with. */
        static void prepare(Path folder) {
            new Keys(folder).issue(KEYS, NodeNames.of(0, 65_535));
        }

        private Transport transport(Path keys, InetSocketAddress bind, AddressBook book) {
            return this == TLS
                    ? Transports.ethernet(bind, book, Keys.files(keys, KEYS))
                    : kind.transport(bind, book, new LoopbackHub());
        }

        private NetConfig config() {
            return NetConfig.defaults();
        }
    }

    private static final String KEYS = "any";

    private static final int RAW_TYPE = 5;
    private static final int MAX_BODY_BYTES = 2_000;
    private static final int MESSAGE_EVERY = 200;
    private static final int LARGE_EVERY = 100_000;
    private static final int LARGE_CHARS = 300_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int id;
    private final int seconds;
    private final int nodes;
    private final Network network;
    private final AtomicLongArray received;
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final CountDownLatch partings;

    // Confined to the receiving thread.
    private final CRC32C checker = new CRC32C();
    private final byte[] content = new byte[MAX_BODY_BYTES];

    private SoakNode(Line line, Path keys, int id, int seconds, int[] ports) {
        this.id = id;
        this.seconds = seconds;
        this.nodes = ports.length;
        this.received = new AtomicLongArray(nodes);
        this.partings = new CountDownLatch(nodes - 1);
        InetAddress local = InetAddress.getLoopbackAddress();
        Transport transport =
                line.transport(
                        keys,
                        new InetSocketAddress(local, ports[id]),
                        node -> new InetSocketAddress(local, ports[node]));
        this.network = Network.open(id, transport, line.config());
    }

    public static void main(String[] args) throws Exception {
        int[] ports = Arrays.stream(args).skip(4).mapToInt(Integer::parseInt).toArray();
        SoakNode node =
                new SoakNode(
                        Line.valueOf(args[0]),
                        Path.of(args[1]),
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[3]),
                        ports);
        boolean isFine = node.run();
        System.exit(isFine ? 0 : 1);
    }

    private boolean run() throws Exception {
        serve();
        awaitOthers();
        long lostBefore = network.statistics().lost(); // who was asked too early counts, too
        Thread[] senders = new Thread[nodes];
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int node = 0; node < nodes; node++) {
            int target = node;
            senders[node] =
                    Thread.ofPlatform()
                            .start(() -> {
                                if (target != id) {
                                    send(target, end);
                                }
                            });
        }
        TimeUnit.SECONDS.sleep(seconds / 6); // warm
        Figures before = Figures.now();
        TimeUnit.NANOSECONDS.sleep(end - System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(500));
        double gcPercent = before.gcPercentUntilNow();
        double allocatedMib = before.allocatedMibASecondUntilNow();
        Figures after = Figures.now();
        NetStatistics statistics = network.statistics(); // before others leave
        for (Thread sender : senders) {
            sender.join();
        }
        boolean isComplete = partings.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        System.out.printf(
                "soak node %d: sent %d blocks and messages, %.0f a second, messages received %d,"
                        + " wrong %d, complete %s, lost %d, failures %d, heap KiB %d %d, native KiB"
                        + " %d %d, allocated MiB a second %.1f, gc %% %.3f%n",
                id,
                sent.get(),
                (double) sent.get() / seconds,
                messages.get(),
                wrong.get(),
                isComplete,
                statistics.lost() - lostBefore,
                statistics.handlerFailures() + statistics.receivingFailures(),
                before.heapBytes >> 10,
                after.heapBytes >> 10,
                before.nativeBytes >> 10,
                after.nativeBytes >> 10,
                allocatedMib,
                gcPercent);
        awaitOthers(); // all have what they wait for
        boolean isFine = wrong.get() == 0 && isComplete;
        network.close();
        return isFine;
    }

    private void serve() {
        network.serve(Ask.TYPE, Execution.WORKER, (source, q) -> new Text(q.number(), ""));
        network.handleRaw(RAW_TYPE, this::check);
        network.handle(Text.TYPE, Execution.WORKER, (source, m) -> check(m));
    }

    private void check(int source, long address, int bytes) {
        long number = NativeMemory.getLong(address);
        if (number < 0) { // the last block says how many there were
            if (-number - 1 != received.get(source)) {
                wrong.incrementAndGet();
            }
            partings.countDown();
            return;
        }
        checker.reset();
        NativeMemory.copyToArray(address + 12, content, 0, bytes - 12);
        checker.update(content, 0, bytes - 12);
        boolean isRight =
                number == received.get(source)
                        && NativeMemory.getInt(address + 8) == (int) checker.getValue();
        if (!isRight) {
            wrong.incrementAndGet();
        }
        received.lazySet(source, number + 1);
    }

    private void check(Text message) {
        if (message.text().hashCode() != message.number()) {
            wrong.incrementAndGet();
        }
        messages.incrementAndGet();
    }

    /** Asks all others until they answer. */
    private void awaitOthers() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int node = 0; node < nodes; node++) {
            boolean isThere = node == id;
            while (!isThere && System.nanoTime() - deadline < 0) {
                try {
                    network.call(node, new Ask(1), PATIENCE);
                    isThere = true;
                } catch (NodeLostException e) {
                    TimeUnit.MILLISECONDS.sleep(20); // it is starting, or has left before this one
                    isThere = partings.getCount() == 0;
                }
            }
        }
    }

    private void send(int target, long end) {
        RawSender raw = network.raw(target);
        CRC32C sum = new CRC32C();
        byte[] content = new byte[MAX_BODY_BYTES];
        String small = "x".repeat(40);
        String large = "y".repeat(LARGE_CHARS);
        long state = id * 1_000_003L + target;
        long count = 0;
        while (System.nanoTime() - end < 0) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            int body =
                    1 + (int) ((state >>> 33) % ((state >>> 40 & 15) == 0 ? MAX_BODY_BYTES : 64));
            long address = raw.claim(RAW_TYPE, 12 + body);
            Arrays.fill(content, 0, body, (byte) (state >>> 20));
            sum.reset();
            sum.update(content, 0, body);
            NativeMemory.copyFromArray(content, 0, address + 12, body);
            NativeMemory.putLong(address, count);
            NativeMemory.putInt(address + 8, (int) sum.getValue());
            raw.commit();
            count++;
            if (count % MESSAGE_EVERY == 0) {
                String text = count % LARGE_EVERY == 0 ? large : small;
                network.send(target, new Text(text.hashCode(), text));
            }
        }
        NativeMemory.putLong(raw.claim(RAW_TYPE, 12), -count - 1);
        raw.commit();
        raw.flush();
        sent.addAndGet(count);
    }

    /** What must not grow, taken right after a full collection. */
    private record Figures(
            long heapBytes, long nativeBytes, long gcMillis, long allocatedBytes, long nanos) {

        static Figures now() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return new Figures(
                    runtime.totalMemory() - runtime.freeMemory(),
                    NativeMemory.reservedBytes(),
                    collectionMillis(),
                    allocatedBytesUntilNow(),
                    System.nanoTime());
        }

        double gcPercentUntilNow() {
            return 100.0 * (collectionMillis() - gcMillis) / elapsedMillis();
        }

        double allocatedMibASecondUntilNow() {
            return 1000.0
                    / 1024
                    / 1024
                    * (allocatedBytesUntilNow() - allocatedBytes)
                    / elapsedMillis();
        }

        private long elapsedMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
        }

        private static long allocatedBytesUntilNow() {
            return ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                    .getTotalThreadAllocatedBytes();
        }

        private static long collectionMillis() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                    .sum();
        }
    }
}
