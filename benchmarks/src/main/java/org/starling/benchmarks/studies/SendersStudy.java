package org.starling.benchmarks.studies;

import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;

/** Sender threads into one ring: our raw path in process and over TCP, beside plain sockets. */
final class SendersStudy implements Study {
    private static final int BYTES = 16;
    private static final int MAX_THREADS = 128;

    @Override
    public String name() {
        return "senders";
    }

    @Override
    public String question() {
        return "What do many sender threads into one connection cost?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (MessageCells cells = MessageCells.ofRates(contest, "threads")) {
            for (int threads : contest.scale().powers(1, MAX_THREADS, 2)) {
                NetPlan plan = NetPlan.oneWay(NetPlan.Path.RAW, BYTES, threads);
                cells.cell()
                        .with(Contender.Kind.NIO, plan)
                        .with("starling, loopback", Contender.Kind.STARLING, plan.overLoopback())
                        .with("starling, ethernet", Contender.Kind.STARLING, plan)
                        .measure(threads);
            }
            return cells.table();
        }
    }
}
