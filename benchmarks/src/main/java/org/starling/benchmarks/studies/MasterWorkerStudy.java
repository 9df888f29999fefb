package org.starling.benchmarks.studies;

import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;
import org.starling.net.Waiting;

/** Workers, each with a connection of its own, that ask a master again as soon as it answers. */
final class MasterWorkerStudy implements Study {
    private static final int BYTES = 16;
    private static final int MAX_WORKERS = 16;

    @Override
    public String name() {
        return "master-worker";
    }

    @Override
    public String question() {
        return "How many requests a second does a master answer, by the number of its workers?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (MessageCells cells = MessageCells.ofRoundTrips(contest, "workers")) {
            for (int workers : contest.scale().powers(1, MAX_WORKERS, 2)) {
                NetPlan plan =
                        NetPlan.roundTrips(
                                NetPlan.Path.RAW, BYTES, workers, workers, Waiting.ADAPTIVE);
                cells.cell()
                        .with(Contender.Kind.STARLING, plan)
                        .with(Contender.Kind.NIO, plan)
                        .with(Contender.Kind.NETTY, plan)
                        .measure(workers);
            }
            return cells.table();
        }
    }
}
