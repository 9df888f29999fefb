package org.starling.benchmarks.studies;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.benchmarks.studies.calls.Answer;
import org.starling.benchmarks.studies.calls.Call;
import org.starling.benchmarks.studies.calls.CallPattern;
import org.starling.benchmarks.studies.calls.ServiceKind;
import org.starling.benchmarks.studies.calls.Technologies;
import org.starling.net.Waiting;

/**
 * Round trips of small requests over one connection. One way of waiting is measured after the
 * other, because threads that spin would take the cores from those that sleep.
 */
final class WaitingStudy implements Study {

    private static final int MAX_THREADS = 16;

    private final CallRig.Host host;

    WaitingStudy(CallRig.Host host) {
        this.host = host;
    }

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
        Table table =
                new Table(
                        "waiting",
                        "threads",
                        "meanMicros",
                        "stddevMicros",
                        "confidence99Micros",
                        "p50Micros",
                        "p99Micros",
                        "callsPerSecond",
                        "busyCores");
        for (Waiting waiting : Waiting.values()) {
            try (CallRig rig =
                    new CallRig(
                            host, ServiceKind.PATTERNS, List.of(Technologies.waiting(waiting)))) {
                for (int threads : contest.scale().powers(1, MAX_THREADS, 2)) {
                    cell(contest, rig, waiting, threads, table);
                }
            }
        }
        return table;
    }

    private static void cell(
            Contest contest, CallRig rig, Waiting waiting, int threads, Table table)
            throws Exception {
        Call call = CallPattern.ECHO_NUMBER.call(0);
        Answer expected = CallPattern.ECHO_NUMBER.answer(call);
        String name = waiting.name().toLowerCase(Locale.ROOT);
        String technology = Technologies.waiting(waiting).name();
        Trial<Tally> trial = rig.sharedTrial(technology, threads, CallRig.checked(call, expected));
        for (List<Tally> tallies :
                contest.run(
                                "%s with %d threads".formatted(name, threads),
                                Map.of(technology, trial))
                        .values()) {
            Sample micros = Sample.of(tallies, Tally::micros);
            table.add(
                    name,
                    threads,
                    micros.mean(),
                    micros.standardDeviation(),
                    micros.confidence99(),
                    Tally.percentileMicros(tallies, 50),
                    Tally.percentileMicros(tallies, 99),
                    Sample.of(tallies, Tally::perSecond).mean(),
                    Sample.of(tallies, Tally::busyCores).mean());
        }
    }
}
