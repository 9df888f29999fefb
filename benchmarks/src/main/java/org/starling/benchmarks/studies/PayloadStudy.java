package org.starling.benchmarks.studies;

import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;

/** Messages of one thread, from a byte to 8 MiB, as raw blocks, as objects and over sockets. */
final class PayloadStudy implements Study {
    private static final int[] BYTES = {
        1, 8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20, 8 << 20
    };

    @Override
    public String name() {
        return "payload";
    }

    @Override
    public String question() {
        return "How does the rate of one sender depend on the size of its messages?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (MessageCells cells = MessageCells.ofRates(contest, "bytes")) {
            for (int bytes : contest.scale().points(BYTES)) {
                NetPlan raw = NetPlan.oneWay(NetPlan.Path.RAW, bytes, 1);
                MessageCells.Cell cell = cells.cell().with(Contender.Kind.NIO, raw);
                if (bytes >= NetPlan.MIN_OBJECT_BYTES) {
                    NetPlan objects = NetPlan.oneWay(NetPlan.Path.OBJECT, bytes, 1);
                    cell.with("starling, objects", Contender.Kind.STARLING, objects);
                }
                if (bytes <= NetPlan.MAX_RAW_BYTES) {
                    cell.with("starling, raw", Contender.Kind.STARLING, raw);
                }
                cell.measure(bytes);
            }
            return cells.table();
        }
    }
}
