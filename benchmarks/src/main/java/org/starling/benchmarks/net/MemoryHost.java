package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.starling.benchmarks.harness.Together;
import org.starling.net.NativeMemory;

/**
 * No network: what the memory of one JVM allows. Each sending thread writes framed messages into a
 * region as large as a ring, and reads them back in aggregates of 64 KiB. Has no round trips.
 *
 * @param plan what is measured
 * @param payload owned by this from now on
 */
record MemoryHost(NetPlan plan, Payload payload) implements Host {
    private static final int REGION_BYTES = 1 << 20;
    private static final int AGGREGATE_BYTES = 64 << 10;

    @Override
    public Map<Integer, Integer> open() {
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
        int nodes = plan.mode() == NetPlan.Mode.ALLTOALL ? plan.nodes() : 1;
        Callable<Repetition> copy = () -> copy(time.toNanos());
        Repetition sum = Repetition.nothing();
        for (Repetition one :
                Together.run("copy", Collections.nCopies(nodes * plan.senders(), copy))) {
            sum = sum.beside(one);
        }
        return sum;
    }

    @Override
    public void close() {
        payload.close();
    }

    private Repetition copy(long timeNanos) {
        int frame = NioLink.HEADER_BYTES + payload.bytes();
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
                    NioLink.putHeader(to, Inlet.DATA, payload.bytes());
                    sent += payload.write(to + NioLink.HEADER_BYTES, number++);
                }
                for (long from = region + at; from < end; ) {
                    int length = NioLink.length(from);
                    received += payload.read(from + NioLink.HEADER_BYTES, length);
                    from += NioLink.HEADER_BYTES + length;
                }
                at += aggregate;
                now = System.nanoTime();
            } while (now - begin < timeNanos);
            new Tally(number, sent).requireArrived("memory", new Tally(number, received));
            return Repetition.of(number, now - begin, number / perAggregate);
        } finally {
            NativeMemory.release(region, size);
        }
    }
}
