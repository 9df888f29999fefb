package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes 1 and 2 talk through proxies that treat their bytes badly, node 3 talks to both without
 * one. Whatever happens to the sockets of the two: no wrong byte is accepted, nothing comes twice
 * or out of order, only what was under way on a broken connection is lost, the next connection
 * works, memory stays within its bounds, and node 3 notices nothing.
 *
 * <p>A case is drawn from a seed, which every failure names; {@code -Dstarling.faults.seed=N} runs
 * that one alone.
 */
@Timeout(60)
class FaultProxyTest {

    private static final int SLOW_SEEDS = 60;

    /** Another one in each build; a failure names it. */
    private static final long FRESH_SEED = new Random().nextLong(1_000, 1_000_000);

    private static final int ITEMS = 250;
    private static final int HANDSHAKE_BYTES = 28;
    private static final int MAX_FAULTY_CONNECTIONS = 3;
    private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final TestLimits CONFIG =
            TestLimits.defaults()
                    .withRingBytes(32 << 10)
                    .withIncomingBufferBytes(16 << 10)
                    .withWindowBytes(64 << 10);

    /** How long connecting and sending may wait, where something breaks. */
    private static final TestLimits HASTY =
            CONFIG.withConnectTimeout(Duration.ofSeconds(3))
                    .withSendTimeout(Duration.ofMillis(500));

    /** The same where nothing does, and a window of single bytes takes its time. */
    private static final TestLimits PATIENT =
            CONFIG.withConnectTimeout(Duration.ofSeconds(10))
                    .withSendTimeout(Duration.ofSeconds(10));

    /** Three networks with two rings and all pooled buffers each have 1.2 MiB. */
    private static final long MAX_NATIVE_BYTES = 4L << 20;

    /** What the bytes of a socket are guarded by. */
    enum Line {
        /** What TCP does: a changed byte is seen only where it changes the structure. */
        PLAIN,
        TLS;

        /** Whether every changed byte must be seen. */
        boolean isGuarded() {
            return this != PLAIN;
        }

        Transport transport(AddressBook book) {
            InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return this == TLS
                    ? Transports.ethernet(bind, book, Keys.ofAnyNode())
                    : Transports.ethernet(bind, book);
        }

        /** TLS says that the version of a record is not to be looked at (RFC 8446, 5.1). */
        boolean ignores(int at) {
            return this == TLS && (at == 1 || at == 2);
        }

        /** Every so manieth byte is tried: handshakes of TLS take their time. */
        int stepBytes() {
            return this == TLS ? 7 : 1;
        }
    }

    static LongStream seeds() {
        Long given = Long.getLong("starling.faults.seed");
        return LongStream.of(given == null ? FRESH_SEED : given);
    }

    static Stream<Arguments> brokenLines() {
        return onEachLine(seeds());
    }

    static Stream<Arguments> manyBrokenLines() {
        return onEachLine(LongStream.rangeClosed(1, SLOW_SEEDS));
    }

    static Stream<Arguments> slowLines() {
        return Stream.of(Line.values())
                .flatMap(line ->
                        Stream.of(FaultProxy.Pace.values()).map(pace -> Arguments.of(line, pace)));
    }

    private static Stream<Arguments> onEachLine(LongStream seeds) {
        return seeds.boxed()
                .flatMap(seed -> Stream.of(Line.values()).map(line -> Arguments.of(line, seed)));
    }

    @ParameterizedTest
    @EnumSource
    void losesNothingWhenTheBytesAreCutAndHeldUpInTurns(Line line) throws Exception {
        losesNothingHoweverTheBytesAreCutAndHeldUp(line, FaultProxy.Pace.MIXED);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("slowLines")
    void losesNothingHoweverTheBytesAreCutAndHeldUp(Line line, FaultProxy.Pace pace)
            throws Exception {
        for (long seed : seeds().toArray()) {
            FaultProxy.Treatment treatment =
                    new FaultProxy.Treatment(pace, FaultProxy.Fault.NONE, 0);
            try (Scene scene =
                    new Scene(seed, line, PATIENT, (connection, direction) -> treatment)) {
                scene.send(0, ITEMS);

                scene.awaitAll(0, ITEMS);
                scene.check();
                assertThat(scene.losses()).as(scene.toString()).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("brokenLines")
    void acceptsNoWrongByteAndConnectsAnewWhateverBreaks(Line line, long seed) throws Exception {
        breakAndMend(line, seed);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("manyBrokenLines")
    void acceptsNoWrongByteAndConnectsAnewWhateverBreaksInManyCases(Line line, long seed)
            throws Exception {
        breakAndMend(line, seed);
    }

    @ParameterizedTest
    @EnumSource
    void seesChangedBytesOfTheStructure(Line line) throws Exception {
        int step = 4 * line.stepBytes();
        seesChangedBytes(line, (int) (FRESH_SEED % step), step);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void seesEveryChangedByteOfTheStructure(Line line) throws Exception {
        seesChangedBytes(line, 0, line.stepBytes());
    }

    /** Handshake, header of the first frame; confirmations: whoever guards the rest. */
    private static void seesChangedBytes(Line line, int first, int step) throws Exception {
        for (FaultProxy.Direction direction : FaultProxy.Direction.values()) {
            int end = HANDSHAKE_BYTES + (direction == FaultProxy.Direction.DATA ? 8 : 16);
            for (int at = first; at < end; at += step) {
                if (!line.ignores(at)) {
                    seesTheChangedByte(line, direction, at);
                }
            }
        }
    }

    private static void seesTheChangedByte(Line line, FaultProxy.Direction direction, int at)
            throws Exception {
        FaultProxy.Treatment flip =
                new FaultProxy.Treatment(FaultProxy.Pace.STEADY, FaultProxy.Fault.FLIP, at);
        FaultProxy.Plan plan =
                (connection, way) ->
                        connection == 0 && way == direction ? flip : FaultProxy.Treatment.CLEAN;
        try (Scene scene = new Scene(at, line, HASTY, plan)) {
            scene.awaitSeen();
            scene.mend();
            scene.check();
        }
    }

    /** Some connections of each side have a fault, those after {@code mend} have none. */
    private static void breakAndMend(Line line, long seed) throws Exception {
        try (Scene scene = new Scene(seed, line, HASTY, brokenPlan(seed, line))) {
            scene.send(0, ITEMS);
            long nanos = scene.mend();
            scene.send(ITEMS, 2 * ITEMS);

            scene.awaitAll(ITEMS, 2 * ITEMS);
            scene.check();
            assertThat(nanos).as("reconnect, %s", scene).isLessThan(RECONNECT_NANOS);
        }
    }

    private static int number(FaultProxy.Direction direction) {
        return direction == FaultProxy.Direction.DATA ? 0 : 1;
    }

    private static FaultProxy.Plan brokenPlan(long seed, Line line) {
        List<FaultProxy.Fault> faults = new ArrayList<>(EnumSet.allOf(FaultProxy.Fault.class));
        faults.remove(FaultProxy.Fault.NONE);
        if (!line.isGuarded()) {
            faults.remove(FaultProxy.Fault.FLIP);
        }
        return (connection, direction) -> {
            Random random = new Random(seed * 7_919 + connection * 2L + number(direction));
            FaultProxy.Pace[] paces = FaultProxy.Pace.values();
            boolean isFaulty = connection < MAX_FAULTY_CONNECTIONS && random.nextInt(3) > 0;
            return new FaultProxy.Treatment(
                    paces[random.nextInt(paces.length)],
                    isFaulty ? faults.get(random.nextInt(faults.size())) : FaultProxy.Fault.NONE,
                    position(random, direction));
        };
    }

    /** In the handshake, soon after it, or in the middle of the traffic. */
    private static long position(Random random, FaultProxy.Direction direction) {
        int bound = direction == FaultProxy.Direction.DATA ? 60_000 : 200;
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(40);
            case 1 -> random.nextInt(bound / 10);
            default -> random.nextInt(bound);
        };
    }

    /** The three nodes, the two proxies and the books. */
    private static final class Scene implements AutoCloseable {
        private final long seed;
        private final Line line;
        private final TestLimits patience;
        private final long reservedBefore = NativeMemory.reservedBytes();
        private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
        private final List<Network> networks = new ArrayList<>();
        private final List<Ledger> ledgers = new ArrayList<>();
        private final List<FaultProxy> proxies = new ArrayList<>();
        private final FaultProxy.Plan plan;
        private volatile boolean isMended;

        Scene(long seed, Line line, TestLimits patience, FaultProxy.Plan plan) {
            this.seed = seed;
            this.line = line;
            this.patience = patience;
            this.plan = plan;
            for (int node = 1; node <= 3; node++) {
                networks.add(open(node));
            }
            for (int node = 1; node <= 2; node++) {
                proxies.add(new FaultProxy(seed + node, direct(node), this::treatment));
            }
            for (Network network : networks) {
                for (int target = 1; target <= 3; target++) {
                    if (target != network.nodeId()) {
                        ledgers.add(new Ledger(seed, network.nodeId(), target));
                    }
                }
            }
            networks.forEach(network -> Ledger.receive(network, ledgers));
        }

        private Network open(int node) {
            Transport transport =
                    line.transport(peer ->
                            isProxied(node, peer) ? proxies.get(peer - 1).address() : direct(peer));
            Network network = patience.open(node, transport);
            addresses.put(node, Objects.requireNonNull(network.localAddress()));
            return network;
        }

        private InetSocketAddress direct(int node) {
            return Objects.requireNonNull(addresses.get(node));
        }

        private static boolean isProxied(int from, int to) {
            return from != 3 && to != 3;
        }

        private FaultProxy.Treatment treatment(int connection, FaultProxy.Direction direction) {
            return isMended ? FaultProxy.Treatment.CLEAN : plan.of(connection, direction);
        }

        /**
         * All nodes send to all others at once; returns when all is sent and all requests ended.
         */
        void send(int from, int until) throws Exception {
            List<CompletableFuture<Void>> senders = new ArrayList<>();
            List<CompletableFuture<?>> requests = Collections.synchronizedList(new ArrayList<>());
            for (Ledger ledger : ledgers) {
                CompletableFuture<Void> sender = new CompletableFuture<>();
                senders.add(sender);
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                requests.addAll(ledger.send(network(ledger.source()), from, until));
                                sender.complete(null);
                            } catch (RuntimeException | Error e) {
                                sender.completeExceptionally(e);
                            }
                        });
            }
            for (CompletableFuture<Void> sender : senders) {
                sender.get(30, TimeUnit.SECONDS);
                checkMemory();
            }
            for (CompletableFuture<?> request : List.copyOf(requests)) {
                await(request::isDone);
            }
        }

        /** Keeps node 1 sending to node 2 until one of both has found something wrong. */
        void awaitSeen() throws InterruptedException {
            AtomicInteger item = new AtomicInteger();
            await(() -> {
                int next = item.getAndAdd(10);
                ledger(1, 2).send(network(1), next, next + 10);
                return found() > 0;
            });
            assertThat(proxies.stream().mapToInt(FaultProxy::faults).sum())
                    .as(this::toString)
                    .isPositive();
        }

        /** Connections that ended because of what came over them. */
        private long found() {
            return networks.stream()
                    .map(Network::statistics)
                    .mapToLong(statistics -> statistics.malformed() + statistics.refused())
                    .sum();
        }

        private Ledger ledger(int source, int target) {
            return ledgers.stream()
                    .filter(l -> l.source() == source && l.target() == target)
                    .findAny()
                    .orElseThrow();
        }

        /** Breaks the bad connections; returns how long it took until both sides talk again. */
        long mend() throws Exception {
            isMended = true;
            long start = System.nanoTime();
            proxies.forEach(FaultProxy::reset);
            for (int node = 1; node <= 2; node++) {
                Network network = network(node);
                int peer = 3 - node;
                await(() -> isAnswered(network, peer));
            }
            return System.nanoTime() - start;
        }

        private static boolean isAnswered(Network network, int peer) {
            try {
                network.call(peer, new Ask(-1), Duration.ofMillis(500));
                return true;
            } catch (NodeLostException | RequestTimeoutException e) {
                return false; // the old connection's end was not known yet
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void awaitAll(int from, int until) throws InterruptedException {
            await(() -> ledgers.stream().allMatch(ledger -> ledger.hasAll(from, until)));
        }

        /** What has been received waits for its handlers, so less and less is missing. */
        void check() throws InterruptedException {
            for (Ledger ledger : ledgers) {
                Network source = network(ledger.source());
                await(() -> ledger.missingRuns() <= source.statistics().lost());
                assertThat(ledger.errors()).as(this::toString).isEmpty();
                if (!isProxied(ledger.source(), ledger.target())) {
                    assertThat(ledger.losses()).as(this::toString).isZero();
                    assertThat(ledger.missingRuns()).as(this::toString).isZero();
                }
            }
            assertThat(network(3).statistics().lost()).as(this::toString).isZero();
            for (Network network : networks) {
                assertThat(network.statistics().handlerFailures()).as(this::toString).isZero();
            }
            checkMemory();
        }

        /** Times that senders were told of a loss. */
        int losses() {
            return ledgers.stream().mapToInt(Ledger::losses).sum();
        }

        private void checkMemory() {
            assertThat(NativeMemory.reservedBytes() - reservedBefore)
                    .as(this::toString)
                    .isLessThan(MAX_NATIVE_BYTES);
        }

        private Network network(int node) {
            return networks.get(node - 1);
        }

        private void await(BooleanSupplier condition) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime() - deadline).as(this::toString).isNegative();
                Thread.sleep(2);
            }
        }

        @Override
        public void close() throws IOException {
            networks.forEach(Network::close);
            for (FaultProxy proxy : proxies) {
                proxy.close();
            }
            assertThat(NativeMemory.reservedBytes()).as(this::toString).isEqualTo(reservedBefore);
        }

        /** What a network says of itself. */
        private static String state(Network network) {
            NetStatistics statistics = network.statistics();
            return network.nodeId()
                    + " has lost "
                    + statistics.lost()
                    + ", refused "
                    + statistics.refused()
                    + ", found malformed "
                    + statistics.malformed()
                    + ", has "
                    + statistics.connections();
        }

        @Override
        public String toString() {
            return line
                    + " seed "
                    + seed
                    + " (-Dstarling.faults.seed): faults "
                    + proxies.stream().mapToInt(FaultProxy::faults).sum()
                    + ", broken streams "
                    + proxies.stream().mapToInt(FaultProxy::broken).sum()
                    + ", connections "
                    + proxies.stream().mapToInt(FaultProxy::connections).sum()
                    + ", "
                    + ledgers
                    + networks.stream()
                            .map(Scene::state)
                            .collect(Collectors.joining("; ", " ", ""));
        }
    }
}
