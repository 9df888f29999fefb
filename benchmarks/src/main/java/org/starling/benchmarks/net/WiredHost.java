package org.starling.benchmarks.net;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.starling.benchmarks.harness.Together;

/** The traffic of a plan over a {@link Wire}, the same whatever that is. */
final class WiredHost implements Host {
    /** Numbers of a lane's messages are far from those of the next lane. */
    private static final int LANE_SHIFT = 40;

    private final NetPlan plan;
    private final List<List<Flow>> lanes;
    private final List<Flow> flows;
    private final Payload payload;
    private final Wire wire;

    /** Nothing is open yet. Owns the payload. */
    WiredHost(NetPlan plan, List<Integer> hosted, Payload payload, Wire wire) {
        this.plan = plan;
        this.lanes = plan.lanes(hosted);
        this.flows = plan.flows(hosted);
        this.payload = payload;
        this.wire = wire;
    }

    @Override
    public Map<Integer, Integer> open() throws Exception {
        return wire.listen();
    }

    @Override
    public void connect(Map<Integer, Integer> ports) throws Exception {
        wire.connect(ports);
    }

    @Override
    public Repetition measure(Duration time) throws Exception {
        for (Flow flow : flows) { // some connections open on first use
            if (plan.mode() != NetPlan.Mode.ROUNDTRIP || wire.caller(flow) == null) {
                askForTally(flow);
                wire.inlet(flow).awaitTally();
            }
        }
        return plan.mode() == NetPlan.Mode.ROUNDTRIP ? roundTrips(time) : rates(time);
    }

    @Override
    public void close() throws IOException {
        try (payload) {
            wire.close();
        }
    }

    private Repetition rates(Duration time) throws Exception {
        long begin = System.nanoTime();
        List<Callable<Map<Flow, Tally>>> tasks = new ArrayList<>();
        for (List<Flow> lane : lanes) {
            long first = (long) tasks.size() << LANE_SHIFT;
            tasks.add(() -> send(lane, first, time.toNanos()));
        }
        Map<Flow, Tally> sent = new LinkedHashMap<>();
        for (Map<Flow, Tally> one : Together.run("send", tasks)) {
            one.forEach((flow, tally) -> sent.merge(flow, tally, Tally::plus));
        }
        for (Flow flow : sent.keySet()) {
            askForTally(flow);
        }
        long messages = 0;
        long writes = 0;
        for (Map.Entry<Flow, Tally> one : sent.entrySet()) {
            Flow flow = one.getKey();
            one.getValue().requireArrived(flow, wire.inlet(flow).awaitTally());
            messages += one.getValue().messages();
            writes += wire.writes(flow);
        }
        return Repetition.of(messages, System.nanoTime() - begin, writes);
    }

    private void askForTally(Flow flow) throws Exception {
        try (Outlet outlet = wire.outlet(flow)) {
            outlet.claim(Inlet.END, Inlet.END_BYTES);
            outlet.commit();
            outlet.flush();
        }
    }

    /** Sends along the connections of a lane in turns; says what was sent. */
    private Map<Flow, Tally> send(List<Flow> lane, long first, long timeNanos) throws Exception {
        Outlet[] outlets = new Outlet[lane.size()];
        for (int i = 0; i < outlets.length; i++) {
            outlets[i] = wire.outlet(lane.get(i));
        }
        try {
            Tally[] sent = send(outlets, first, timeNanos);
            Map<Flow, Tally> byFlow = new LinkedHashMap<>();
            for (int i = 0; i < outlets.length; i++) {
                outlets[i].flush();
                byFlow.put(lane.get(i), sent[i]);
            }
            return byFlow;
        } finally {
            for (Outlet outlet : outlets) {
                outlet.close();
            }
        }
    }

    private Tally[] send(Outlet[] outlets, long first, long timeNanos) throws IOException {
        long[] messages = new long[outlets.length];
        long[] sums = new long[outlets.length];
        int burst = payload.burst();
        long number = first;
        int next = 0;
        long begin = System.nanoTime();
        do {
            if (outlets.length == 1) { // what finds the next one costs a fifth of a small message
                sums[0] += sendBurst(outlets[0], number, burst);
                messages[0] += burst;
                number += burst;
                continue;
            }
            for (int i = 0; i < burst; i++) {
                sums[next] += outlets[next].send(payload, number++);
                messages[next]++;
                next = next + 1 == outlets.length ? 0 : next + 1;
            }
        } while (System.nanoTime() - begin < timeNanos);
        Tally[] sent = new Tally[outlets.length];
        Arrays.setAll(sent, i -> new Tally(messages[i], sums[i]));
        return sent;
    }

    private long sendBurst(Outlet outlet, long first, int burst) throws IOException {
        long sum = 0;
        for (long number = first; number < first + burst; number++) {
            sum += outlet.send(payload, number);
        }
        return sum;
    }

    /** A task for each thread that calls, or for each connection on which messages go round. */
    private Repetition roundTrips(Duration time) throws Exception {
        Map<Flow, Integer> underWay = new LinkedHashMap<>();
        List<Callable<Repetition>> tasks = new ArrayList<>();
        for (List<Flow> lane : lanes) {
            Flow flow = lane.getFirst();
            Wire.Caller caller = wire.caller(flow);
            if (caller == null) {
                underWay.merge(flow, 1, Integer::sum);
            } else {
                tasks.add(() -> calls(caller, time));
            }
        }
        underWay.forEach((flow, count) -> tasks.add(() -> turns(flow, count, time)));
        Repetition sum = Repetition.nothing();
        for (Repetition one : Together.run("ask", tasks)) {
            sum = sum.beside(one);
        }
        return sum;
    }

    private Repetition turns(Flow flow, int count, Duration time) throws Exception {
        Turns turns = new Turns(payload, count, time);
        wire.inlet(flow).handTo(turns);
        try (Outlet outlet = wire.outlet(flow)) {
            return turns.measure(outlet);
        }
    }

    private static Repetition calls(Wire.Caller caller, Duration time) throws Exception {
        Histogram histogram = Repetition.histogram();
        long begin = System.nanoTime();
        long now = begin;
        for (long number = 0; now - begin < time.toNanos(); number++) {
            caller.call(number);
            long then = System.nanoTime();
            Repetition.record(histogram, then - now);
            now = then;
        }
        return new Repetition(histogram.getTotalCount(), now - begin, 0, Cost.NONE, histogram);
    }
}
