package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.starling.net.Network;
import org.starling.net.RawSender;

/**
 * Messages that only go one way: threads send for some time, then every receiver is asked what
 * came, behind the last message. Used by one thread.
 */
final class StarlingRates {
    /** Between two looks at the clock a thread sends about so many bytes, and not more messages. */
    private static final int BURST_BYTES = 64 << 10;

    private static final int BURST_MESSAGES = 64;

    private final NetPlan plan;
    private final Map<Integer, StarlingNode> nodes;
    private final int burst;

    StarlingRates(NetPlan plan, Map<Integer, StarlingNode> nodes) {
        this.plan = plan;
        this.nodes = nodes;
        this.burst = burst(plan.bytes());
    }

    /** How many messages are sent between two looks at the clock. */
    static int burst(int bytes) {
        return Math.clamp(BURST_BYTES / bytes, 1, BURST_MESSAGES);
    }

    /**
     * Sends and waits until all has arrived.
     *
     * @param lanes of the sending threads
     * @throws WrongContentException if something else came than was sent
     */
    Repetition measure(List<List<Flow>> lanes, Duration time) throws Exception {
        long begin = System.nanoTime();
        Map<Flow, Tally> sent =
                Sending.all(
                        "send",
                        lanes,
                        time,
                        plan.path() == MessagePath.RAW ? this::sendRaw : this::sendObjects);
        Map<Flow, CompletableFuture<Tally>> arrived = new LinkedHashMap<>();
        sent.keySet().forEach(flow -> arrived.put(flow, node(flow.from()).tally(flow.to())));
        for (Map.Entry<Flow, Tally> one : sent.entrySet()) {
            Tally received = Objects.requireNonNull(arrived.get(one.getKey())).join();
            WrongContentException.check(one.getKey(), one.getValue(), received);
        }
        long nanos = System.nanoTime() - begin;
        long messages = Sending.messages(sent);
        long writes =
                sent.keySet().stream().mapToLong(flow -> node(flow.from()).writes(flow.to())).sum();
        return Repetition.of(messages, nanos, writes);
    }

    private Map<Flow, Tally> sendRaw(List<Flow> lane, long first, long timeNanos) {
        RawSender[] senders =
                lane.stream()
                        .map(flow -> node(flow.from()).network().raw(flow.to()))
                        .toArray(RawSender[]::new);
        long[] messages = new long[senders.length];
        long[] sums = new long[senders.length];
        Payload payload = node(lane.getFirst().from()).content().payload();
        int bytes = payload.bytes();
        long number = first;
        int next = 0;
        long begin = System.nanoTime();
        do {
            if (senders.length == 1) { // what finds the next one costs a fifth of a small message
                sums[0] += sendBurst(senders[0], payload, number);
                messages[0] += burst;
                number += burst;
                continue;
            }
            for (int i = 0; i < burst; i++) {
                RawSender sender = senders[next];
                sums[next] += payload.write(sender.claim(StarlingNode.DATA, bytes), number++);
                sender.commit();
                messages[next]++;
                next = next + 1 == senders.length ? 0 : next + 1;
            }
        } while (System.nanoTime() - begin < timeNanos);
        for (RawSender sender : senders) {
            sender.flush();
        }
        return tallies(lane, messages, sums);
    }

    private long sendBurst(RawSender sender, Payload payload, long first) {
        int bytes = payload.bytes();
        long sum = 0;
        for (long number = first; number < first + burst; number++) {
            sum += payload.write(sender.claim(StarlingNode.DATA, bytes), number);
            sender.commit();
        }
        return sum;
    }

    private Map<Flow, Tally> sendObjects(List<Flow> lane, long first, long timeNanos) {
        long[] messages = new long[lane.size()];
        long[] sums = new long[lane.size()];
        Network[] networks =
                lane.stream().map(flow -> node(flow.from()).network()).toArray(Network[]::new);
        int[] targets = lane.stream().mapToInt(Flow::to).toArray();
        SampleContent content = node(lane.getFirst().from()).content().sample();
        long number = first;
        int next = 0;
        long begin = System.nanoTime();
        do {
            for (int i = 0; i < burst; i++) {
                SampleMessage message = content.message(number++);
                sums[next] += content.sum(message);
                networks[next].send(targets[next], message);
                messages[next]++;
                next = next + 1 == networks.length ? 0 : next + 1;
            }
        } while (System.nanoTime() - begin < timeNanos);
        return tallies(lane, messages, sums);
    }

    /** By connection. */
    static Map<Flow, Tally> tallies(List<Flow> lane, long[] messages, long[] sums) {
        Map<Flow, Tally> tallies = new LinkedHashMap<>();
        for (int i = 0; i < lane.size(); i++) {
            tallies.put(lane.get(i), new Tally(messages[i], sums[i]));
        }
        return tallies;
    }

    private StarlingNode node(int id) {
        return Objects.requireNonNull(nodes.get(id));
    }
}
