package org.starling.benchmarks.studies;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.net.NetConfig;

/** Nodes that all send to all others at once, a thread each. */
final class AllToAllStudy implements Study {

    private static final int[] NODES = {2, 3, 4, 5, 6, 7, 8};
    private static final int[] BYTES = {64, 1 << 10};

    @Override
    public String name() {
        return "all-to-all";
    }

    @Override
    public String question() {
        return "How much do nodes that all send to each other move together?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("nodes", "bytes"),
                        "messagesPerSecond",
                        Tally::perSecond,
                        List.of("p50StepMicros", "p99StepMicros", "busyCores"));
        NetConfig config = NetConfig.defaults();
        for (int nodes : contest.scale().points(NODES)) {
            try (OneWay sockets = SocketOneWay.mesh(nodes);
                    OneWay objects =
                            StarlingOneWay.mesh(
                                    Nodes.ethernet(nodes, config), StarlingOneWay.Path.OBJECTS);
                    OneWay raw =
                            StarlingOneWay.mesh(
                                    Nodes.ethernet(nodes, config), StarlingOneWay.Path.RAW)) {
                for (int bytes : contest.scale().points(BYTES)) {
                    Map<String, Trial<Tally>> trials = new LinkedHashMap<>();
                    trials.put("sockets", OneWayTrial.of(sockets, nodes, bytes));
                    trials.put("starling, objects", OneWayTrial.of(objects, nodes, bytes));
                    trials.put("starling, raw", OneWayTrial.of(raw, nodes, bytes));
                    rows.add(
                            List.of(nodes, bytes),
                            contest.run("%d nodes, %d bytes".formatted(nodes, bytes), trials),
                            (contender, tallies) -> Tally.latencyAndCores(tallies));
                }
            }
        }
        return rows.table();
    }
}
