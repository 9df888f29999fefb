package org.starling.benchmarks.studies;

import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;

/** Nodes that all send to all others at once, with a thread each, in two JVMs. */
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
        try (MessageCells cells = MessageCells.ofRates(contest, "nodes", "bytes")) {
            for (int nodes : contest.scale().points(NODES)) {
                for (int bytes : contest.scale().points(BYTES)) {
                    NetPlan raw = NetPlan.allToAll(NetPlan.Path.RAW, bytes, nodes);
                    NetPlan objects = NetPlan.allToAll(NetPlan.Path.OBJECT, bytes, nodes);
                    cells.cell()
                            .with(Contender.Kind.NIO, raw)
                            .with("starling, objects", Contender.Kind.STARLING, objects)
                            .with("starling, raw", Contender.Kind.STARLING, raw)
                            .measure(nodes, bytes);
                }
            }
            return cells.table();
        }
    }
}
