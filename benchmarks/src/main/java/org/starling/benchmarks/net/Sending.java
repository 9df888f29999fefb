package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** What the sending threads of a host do together, whatever they send with: one for each lane. */
final class Sending {

    /** One thread's work. */
    interface Sender {

        /**
         * Sends along the flows of a lane in turns.
         *
         * @param first number of the first message; no other lane comes near it
         * @return what was sent, by flow
         */
        Map<Flow, Tally> send(List<Flow> lane, long first, long timeNanos) throws Exception;
    }

    private static final int LANE_SHIFT = 40;

    private Sending() {}

    /**
     * Sends along all lanes at the same time.
     *
     * @param name of the threads
     * @return what was sent, by flow
     */
    static Map<Flow, Tally> all(String name, List<List<Flow>> lanes, Duration time, Sender sender)
            throws Exception {
        List<Callable<Map<Flow, Tally>>> tasks = new ArrayList<>();
        for (int i = 0; i < lanes.size(); i++) {
            List<Flow> lane = lanes.get(i);
            long first = (long) i << LANE_SHIFT;
            tasks.add(() -> sender.send(lane, first, time.toNanos()));
        }
        Map<Flow, Tally> sent = new LinkedHashMap<>();
        for (Map<Flow, Tally> one : Together.run(name, tasks)) {
            one.forEach((flow, tally) -> sent.merge(flow, tally, Tally::plus));
        }
        return sent;
    }

    static long messages(Map<Flow, Tally> sent) {
        return sent.values().stream().mapToLong(Tally::messages).sum();
    }
}
