package org.starling.benchmarks.studies;

import java.util.Locale;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;
import org.starling.net.Waiting;

/**
 * Calls of small messages over one connection. One way of waiting is measured after the other,
 * because threads that spin would take the cores from those that sleep.
 */
final class WaitingStudy implements Study {
    private static final int BYTES = 16;
    private static final int MAX_THREADS = 16;

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public String question() {
        return "How long is a round trip, and what does it burn, by the way threads wait?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (MessageCells cells = MessageCells.ofRoundTrips(contest, "waiting", "threads")) {
            for (Waiting waiting : Waiting.values()) {
                for (int threads : contest.scale().powers(1, MAX_THREADS, 2)) {
                    NetPlan calls =
                            NetPlan.roundTrips(NetPlan.Path.OBJECT, BYTES, threads, 1, waiting);
                    cells.cell()
                            .with(Contender.Kind.STARLING, calls)
                            .measure(waiting.name().toLowerCase(Locale.ROOT), threads);
                }
            }
            return cells.table();
        }
    }
}
