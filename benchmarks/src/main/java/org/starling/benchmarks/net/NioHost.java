package org.starling.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * Nodes of plain sockets in one JVM: what is possible with {@code java.nio} when nothing else is
 * wanted. Each sending thread fills an aggregate of 64 KiB for each of its connections and writes
 * that; a receiving thread for each node parses each frame.
 */
final class NioHost implements Host {
    private static final int AGGREGATE_BYTES = 64 << 10;

    private final NetPlan plan;
    private final List<Integer> hosted;
    private final List<NioReceiver> receivers = new ArrayList<>();
    private final Map<Flow, NioLink> links = new LinkedHashMap<>();
    private @Nullable Payload payload;

    NioHost(NetPlan plan, List<Integer> hosted) {
        this.plan = plan;
        this.hosted = hosted;
    }

    @Override
    public Map<Integer, Integer> open(boolean whole) throws IOException {
        Payload content = new Payload(plan.bytes(), whole);
        payload = content;
        Map<Integer, Integer> ports = new TreeMap<>();
        for (int node : hosted) {
            int sources = sources(node);
            ports.put(node, 0);
            if (sources > 0) {
                NioReceiver receiver = NioReceiver.open(sources, content, plan.waiting());
                receivers.add(receiver);
                ports.put(node, receiver.port());
            }
        }
        return ports;
    }

    @Override
    public void connect(Map<Integer, Integer> ports) throws IOException {
        for (int node : hosted) {
            for (int target : plan.targets(node)) {
                int port = Objects.requireNonNull(ports.get(target));
                SocketChannel channel =
                        SocketChannel.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                links.put(new Flow(node, target), new NioLink(channel, plan.bytes()));
            }
        }
    }

    @Override
    public Repetition measure(Duration time) throws Exception {
        return plan.mode() == Mode.ROUNDTRIP
                ? new NioTurns(plan, content()).measure(lanesByLink(), time)
                : rates(time);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (NioLink link : links.values()) {
            link.close();
        }
        links.clear();
        for (NioReceiver receiver : receivers) {
            receiver.close();
        }
        receivers.clear();
        if (payload != null) {
            payload.close();
            payload = null;
        }
    }

    private Payload content() {
        return Objects.requireNonNull(payload, "the host is not open");
    }

    private int sources(int node) {
        int sources = 0;
        for (int other = 1; other <= plan.nodes(); other++) {
            if (plan.targets(other).contains(node)) {
                sources++;
            }
        }
        return sources;
    }

    /** Round trip: how many messages are under way on each connection. */
    private Map<NioLink, Integer> lanesByLink() {
        Map<NioLink, Integer> turns = new LinkedHashMap<>();
        for (List<Flow> lane : plan.lanes(hosted)) {
            turns.merge(link(lane.getFirst()), 1, Integer::sum);
        }
        return turns;
    }

    private Repetition rates(Duration time) throws Exception {
        long begin = System.nanoTime();
        Map<Flow, Tally> sent = Sending.all("nio-send", plan.lanes(hosted), time, this::send);
        for (Flow flow : sent.keySet()) {
            NioLink link = link(flow);
            link.put(NioFrame.END, 0);
            link.flush();
        }
        for (Map.Entry<Flow, Tally> one : sent.entrySet()) {
            NioLink link = link(one.getKey());
            link.await();
            Tally received =
                    new Tally(
                            NativeMemory.getLong(link.payload()),
                            NativeMemory.getLong(link.payload() + Long.BYTES));
            WrongContentException.check(one.getKey(), one.getValue(), received);
        }
        long nanos = System.nanoTime() - begin;
        long messages = Sending.messages(sent);
        long writes = sent.keySet().stream().mapToLong(flow -> link(flow).writes()).sum();
        return Repetition.of(messages, nanos, writes);
    }

    private Map<Flow, Tally> send(List<Flow> lane, long first, long timeNanos) throws IOException {
        Aggregate[] aggregates =
                lane.stream()
                        .map(flow -> new Aggregate(link(flow), plan.bytes()))
                        .toArray(Aggregate[]::new);
        long[] messages = new long[aggregates.length];
        long[] sums = new long[aggregates.length];
        Payload content = content();
        int burst = StarlingRates.burst(plan.bytes());
        long number = first;
        int next = 0;
        long begin = System.nanoTime();
        try {
            do {
                if (aggregates.length == 1) {
                    sums[0] += sendBurst(aggregates[0], content, number, burst);
                    messages[0] += burst;
                    number += burst;
                    continue;
                }
                for (int i = 0; i < burst; i++) {
                    sums[next] += content.write(aggregates[next].claim(), number++);
                    messages[next]++;
                    next = next + 1 == aggregates.length ? 0 : next + 1;
                }
            } while (System.nanoTime() - begin < timeNanos);
            for (Aggregate aggregate : aggregates) {
                aggregate.flush();
            }
        } finally {
            for (Aggregate aggregate : aggregates) {
                aggregate.close();
            }
        }
        return StarlingRates.tallies(lane, messages, sums);
    }

    private static long sendBurst(Aggregate aggregate, Payload content, long first, int burst)
            throws IOException {
        long sum = 0;
        for (long number = first; number < first + burst; number++) {
            sum += content.write(aggregate.claim(), number);
        }
        return sum;
    }

    private NioLink link(Flow flow) {
        return Objects.requireNonNull(links.get(flow));
    }

    /** Frames of one thread for one connection, written together. */
    private static final class Aggregate implements AutoCloseable {
        private final NioLink link;
        private final int payloadBytes;
        private final int capacity;
        private final long address;
        private final ByteBuffer buffer;
        private int filled;

        Aggregate(NioLink link, int payloadBytes) {
            this.link = link;
            this.payloadBytes = payloadBytes;
            this.capacity = Math.max(AGGREGATE_BYTES, NioFrame.HEADER_BYTES + payloadBytes);
            this.address = NativeMemory.reserve(capacity);
            this.buffer = NativeMemory.segment(address, capacity).asByteBuffer();
        }

        /** Address of the next frame's payload; what was claimed before is written if need be. */
        long claim() throws IOException {
            if (filled + NioFrame.HEADER_BYTES + payloadBytes > capacity) {
                flush();
            }
            long frame = address + filled;
            NioFrame.putHeader(frame, NioFrame.DATA, payloadBytes);
            filled += NioFrame.HEADER_BYTES + payloadBytes;
            return frame + NioFrame.HEADER_BYTES;
        }

        void flush() throws IOException {
            if (filled > 0) {
                buffer.limit(filled).position(0);
                synchronized (link) {
                    link.writeAll(buffer);
                }
                filled = 0;
            }
        }

        @Override
        public void close() {
            NativeMemory.release(address, capacity);
        }
    }
}
