package org.starling.benchmarks.studies;

import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;
import org.starling.net.Waiting;

/** Messages that come back over several connections at once, beside Netty. */
final class NettyStudy implements Study {
    private static final int[] BYTES = {16, 1 << 10, 64 << 10};
    private static final int MAX_CONNECTIONS = 16;

    @Override
    public String name() {
        return "netty";
    }

    @Override
    public String question() {
        return "How many round trips a second do connections make together, beside Netty?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (MessageCells cells = MessageCells.ofRoundTrips(contest, "bytes", "connections")) {
            for (int bytes : contest.scale().points(BYTES)) {
                for (int connections : contest.scale().powers(1, MAX_CONNECTIONS, 2)) {
                    NetPlan plan =
                            NetPlan.roundTrips(
                                    NetPlan.Path.RAW,
                                    bytes,
                                    connections,
                                    connections,
                                    Waiting.ADAPTIVE);
                    cells.cell()
                            .with(Contender.Kind.STARLING, plan)
                            .with(Contender.Kind.NETTY, plan)
                            .measure(bytes, connections);
                }
            }
            return cells.table();
        }
    }
}
