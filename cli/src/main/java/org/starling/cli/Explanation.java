package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import org.starling.compute.PeerMemory;
import org.starling.compute.RunRecord;
import org.starling.compute.SuperstepRecord;

/** What a program's run took, for people who ask with {@code --explain}. */
final class Explanation {
    private static final int MAX_ROWS = 40;
    private static final int INDENT = 6;
    private static final int GAP = 2;
    private static final int TEXT_COLUMNS = 2;

    private Explanation() {}

    /** A run as a heading and a table of at most {@link #MAX_ROWS} rows, the first and the last. */
    static String of(RunRecord run) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "superstep",
                        "direction",
                        "frontier",
                        "messages",
                        "bytes",
                        "seconds",
                        "slowest shard",
                        "seconds"));
        List<SuperstepRecord> history = run.history();
        for (int i = 0; i < history.size(); i++) {
            if (i < MAX_ROWS / 2 || i >= history.size() - MAX_ROWS / 2) {
                rows.add(row(history.get(i)));
            } else if (i == MAX_ROWS / 2) {
                rows.add(List.of("…", "", "", "", "", "", "", ""));
            }
        }
        return "%s on %s: %,d supersteps in %.2f s, at most %,d messages in one of %,d expected%s%n%s%s"
                .formatted(
                        run.program(),
                        run.graph(),
                        run.supersteps(),
                        run.seconds(),
                        run.mostMessages(),
                        run.expectedMostMessages(),
                        run.resumes() ? "" : "; after a loss it begins anew",
                        run.memory().isEmpty() ? "" : memory(run.memory()),
                        Columns.aligned(rows, INDENT, GAP, TEXT_COLUMNS));
    }

    /** The peer that took most comes first. */
    private static String memory(List<PeerMemory> peers) {
        PeerMemory largest = peers.getFirst();
        return "%smemory: node %d took %s of %s expected; %s were available%s%n"
                .formatted(
                        " ".repeat(INDENT),
                        largest.node(),
                        ByteSize.mebibytes(largest.takenBytes()),
                        ByteSize.mebibytes(largest.expectedBytes()),
                        ByteSize.mebibytes(largest.availableBytes()),
                        peers.size() == 1 ? "" : ", and no peer took more");
    }

    private static List<String> row(SuperstepRecord record) {
        String number = Integer.toString(record.first());
        return List.of(
                record.first() == record.last() ? number : number + " to " + record.last(),
                record.direction(),
                "%,d".formatted(record.frontier()),
                "%,d".formatted(record.messages()),
                "%,d".formatted(record.bytes()),
                "%.6f".formatted(record.seconds()),
                Integer.toString(record.slowestShard()),
                "%.6f".formatted(record.slowestSeconds()));
    }
}
