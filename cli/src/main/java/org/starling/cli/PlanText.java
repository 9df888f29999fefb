package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import org.starling.compute.script.ScriptPlan;
import org.starling.compute.script.ScriptPlan.Line;

/** What a script would do, for people. */
final class PlanText {
    private static final int INDENT = 2;
    private static final long MEBIBYTE = 1 << 20;
    private static final String UNKNOWN = "not known before it runs";

    private PlanText() {}

    /** A line for each step, and what memory it takes. */
    static String of(ScriptPlan plan, int peers) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("step", "memory", "what is known"));
        for (Line line : plan.steps()) {
            rows.add(
                    List.of(
                            " ".repeat(INDENT * line.depth()) + line.step(),
                            line.isTask() ? memory(line) : "",
                            String.join("; ", line.work())));
        }
        return "%s: up to %,d %s, memory of %d %s together; nothing was run%n%s"
                .formatted(
                        plan.script(),
                        plan.taskRuns(),
                        plan.taskRuns() == 1 ? "task" : "tasks",
                        peers,
                        peers == 1 ? "peer" : "peers",
                        Columns.left(rows));
    }

    private static String memory(Line line) {
        Number bytes = line.memoryBytes();
        return bytes == null
                ? UNKNOWN
                : "%,d MiB".formatted(Math.ceilDiv(bytes.longValue(), MEBIBYTE));
    }
}
