package org.starling.benchmarks.studies;

import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;
import org.starling.net.Waiting;

/** Calls that bring vectors of numbers back, over everything that a program could call with. */
final class PatternsStudy implements Study {
    private static final int[] VECTORS = {5, 50, 500, 5_000, 50_000};

    @Override
    public String name() {
        return "patterns";
    }

    @Override
    public String question() {
        return "What does a call cost by its size, beside sockets, Netty and HTTP?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (MessageCells cells = MessageCells.ofRoundTrips(contest, "vectorSize")) {
            for (int size : contest.scale().points(VECTORS)) {
                NetPlan plan =
                        NetPlan.roundTrips(
                                NetPlan.Path.OBJECT, size * Long.BYTES, 1, 1, Waiting.ADAPTIVE);
                cells.cell()
                        .with(Contender.Kind.STARLING, plan)
                        .with(Contender.Kind.NIO, plan)
                        .with(Contender.Kind.NETTY, plan)
                        .with(Contender.Kind.HTTP_JSON, plan)
                        .with(Contender.Kind.HTTP_XML, plan)
                        .measure(size);
            }
            return cells.table();
        }
    }
}
