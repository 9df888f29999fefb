package org.starling.benchmarks.studies;

import java.util.List;
import org.starling.benchmarks.studies.calls.Answer;
import org.starling.benchmarks.studies.calls.Call;
import org.starling.benchmarks.studies.calls.CallPattern;
import org.starling.benchmarks.studies.calls.ServiceKind;
import org.starling.benchmarks.studies.calls.Technologies;

/** The plain call patterns over several connections at once, beside Netty. */
final class NettyStudy implements Study {

    private static final List<String> NAMES = List.of(Technologies.STARLING, Technologies.NETTY);
    private static final int MAX_CONNECTIONS = 16;

    private final CallRig.Host host;
    private final int[] vectorBytes;

    /**
     * A study.
     *
     * @param vectorBytes lengths of vectors
     */
    NettyStudy(CallRig.Host host, int... vectorBytes) {
        this.host = host;
        this.vectorBytes = vectorBytes.clone();
    }

    @Override
    public String name() {
        return "netty";
    }

    @Override
    public String question() {
        return "How many calls a second do connections make together, beside Netty?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("pattern", "shape", "vectorBytes", "connections"),
                        "callsPerSecond",
                        Tally::perSecond,
                        List.of("p50Micros", "p99Micros", "busyCores"));
        Scale scale = contest.scale();
        try (CallRig rig = new CallRig(host, ServiceKind.PATTERNS, Technologies.named(NAMES))) {
            for (CallPattern pattern : CallPattern.values()) {
                if (!pattern.hasWork()) {
                    int[] sizes = pattern.hasVectors() ? scale.points(vectorBytes) : new int[] {0};
                    for (int bytes : sizes) {
                        cells(contest, rig, pattern, bytes, rows);
                    }
                }
            }
        }
        return rows.table();
    }

    private static void cells(
            Contest contest, CallRig rig, CallPattern pattern, int bytes, Comparison rows)
            throws Exception {
        Call call = pattern.call(bytes / Long.BYTES);
        Answer expected = pattern.answer(call);
        for (int connections : contest.scale().powers(1, MAX_CONNECTIONS, 2)) {
            rows.add(
                    List.of(pattern.toString(), pattern.shape(), bytes, connections),
                    contest.run(
                            "%s of %d bytes over %d".formatted(pattern, bytes, connections),
                            rig.trials(connections, CallRig.checked(call, expected))),
                    (contender, tallies) -> Tally.latencyAndCores(tallies));
        }
    }
}
