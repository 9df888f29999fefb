package org.starling.benchmarks.studies;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.net.NetConfig;
import org.starling.net.Network;

/** Messages of one thread, from a byte to 8 MiB, as raw blocks, as objects and over sockets. */
final class PayloadStudy implements Study {

    private final int[] sizes;

    /**
     * A study.
     *
     * @param sizes of messages in bytes
     */
    PayloadStudy(int... sizes) {
        this.sizes = sizes.clone();
    }

    @Override
    public String name() {
        return "payload";
    }

    @Override
    public String question() {
        return "How do rate and throughput of one sender depend on the size of its messages?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("bytes"),
                        "messagesPerSecond",
                        Tally::perSecond,
                        List.of("megabytesPerSecond", "allocatedBytesPerMessage", "busyCores"));
        NetConfig config = NetConfig.defaults();
        Nodes blocks = Nodes.ethernet(2, config);
        try (OneWay raw = StarlingOneWay.pair(blocks, StarlingOneWay.Path.RAW);
                OneWay objects =
                        StarlingOneWay.pair(
                                Nodes.ethernet(2, config), StarlingOneWay.Path.OBJECTS);
                OneWay sockets = SocketOneWay.pair()) {
            Network sender = blocks.network(0);
            for (int bytes : contest.scale().points(sizes)) {
                Map<String, Trial<Tally>> trials = new LinkedHashMap<>();
                trials.put("sockets", OneWayTrial.of(sockets, 1, bytes));
                trials.put("starling, objects", OneWayTrial.of(objects, 1, bytes));
                if (bytes <= sender.maxRawBytes()) {
                    trials.put("starling, raw", OneWayTrial.of(raw, 1, bytes));
                }
                rows.add(
                        List.of(bytes),
                        contest.run(bytes + " bytes", trials),
                        (contender, tallies) -> figures(tallies, bytes));
            }
        }
        return rows.table();
    }

    private static List<Object> figures(List<Tally> tallies, int bytes) {
        return List.of(
                Sample.of(tallies, Tally::perSecond).mean() * bytes / 1e6,
                Sample.of(tallies, Tally::allocatedBytesPerOperation).mean(),
                Sample.of(tallies, Tally::busyCores).mean());
    }
}
