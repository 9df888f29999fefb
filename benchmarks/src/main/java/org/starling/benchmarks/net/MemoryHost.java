package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * No network: what the memory of one JVM allows. One way and all to all: each sending thread writes
 * framed messages into a region as large as a ring, and reads them back in aggregates of 64 KiB.
 * Round trip: two threads hand a message to each other through a word in memory, and wait for it as
 * the plan says.
 */
final class MemoryHost implements Host {
    private static final int REGION_BYTES = 1 << 20;
    private static final int AGGREGATE_BYTES = 64 << 10;

    private final NetPlan plan;
    private @Nullable Payload payload;

    MemoryHost(NetPlan plan) {
        this.plan = plan;
    }

    @Override
    public Map<Integer, Integer> open(boolean whole) {
        payload = new Payload(plan.bytes(), whole);
        Map<Integer, Integer> ports = new TreeMap<>();
        IntStream.rangeClosed(1, plan.nodes()).forEach(node -> ports.put(node, 0));
        return ports;
    }

    @Override
    public void connect(Map<Integer, Integer> ports) {
        // there is nothing between the threads
    }

    @Override
    public Repetition measure(Duration time) throws Exception {
        Payload content = payload;
        if (content == null) {
            throw new IllegalStateException("the host is not open");
        }
        int threads = plan.mode() == Mode.ALLTOALL ? plan.nodes() * plan.senders() : plan.senders();
        List<Callable<Repetition>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            tasks.add(
                    plan.mode() == Mode.ROUNDTRIP
                            ? () -> MemoryTurns.measure(plan, content, time)
                            : () -> copy(content, time.toNanos()));
        }
        Repetition sum = Repetition.nothing();
        for (Repetition one : Together.run("copy", tasks)) {
            sum = sum.beside(one);
        }
        return sum;
    }

    @Override
    public void close() {
        if (payload != null) {
            payload.close();
            payload = null;
        }
    }

    private static Repetition copy(Payload content, long timeNanos) {
        int frame = NioFrame.HEADER_BYTES + content.bytes();
        int perAggregate = Math.max(1, AGGREGATE_BYTES / frame);
        int aggregate = perAggregate * frame;
        long size = Math.max(REGION_BYTES, aggregate);
        long region = NativeMemory.reserve(size);
        try {
            long number = 0;
            long sent = 0;
            long received = 0;
            long at = 0;
            long begin = System.nanoTime();
            long now;
            do {
                if (at + aggregate > size) {
                    at = 0;
                }
                long end = region + at + aggregate;
                for (long to = region + at; to < end; to += frame) {
                    NioFrame.putHeader(to, NioFrame.DATA, content.bytes());
                    sent += content.write(to + NioFrame.HEADER_BYTES, number++);
                }
                for (long from = region + at; from < end; ) {
                    int length = NioFrame.length(from);
                    received += content.read(from + NioFrame.HEADER_BYTES, length);
                    from += NioFrame.HEADER_BYTES + length;
                }
                at += aggregate;
                now = System.nanoTime();
            } while (now - begin < timeNanos);
            WrongContentException.check(
                    "memory", new Tally(number, sent), new Tally(number, received));
            return Repetition.of(number, now - begin, number / perAggregate);
        } finally {
            NativeMemory.release(region, size);
        }
    }
}
