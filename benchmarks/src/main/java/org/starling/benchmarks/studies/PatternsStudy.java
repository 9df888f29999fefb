package org.starling.benchmarks.studies;

import java.util.List;
import org.starling.benchmarks.studies.calls.Answer;
import org.starling.benchmarks.studies.calls.Call;
import org.starling.benchmarks.studies.calls.CallPattern;
import org.starling.benchmarks.studies.calls.ServiceKind;
import org.starling.benchmarks.studies.calls.Technologies;

/** Call patterns over everything that a program could call with. */
final class PatternsStudy implements Study {

    private static final List<String> NAMES =
            List.of(
                    Technologies.STARLING,
                    Technologies.STARLING_WORKERS,
                    Technologies.SOCKETS,
                    Technologies.HTTP_JSON,
                    Technologies.HTTP_XML);

    private final CallRig.Host host;
    private final int[] sizes;

    /**
     * A study.
     *
     * @param sizes of vectors
     */
    PatternsStudy(CallRig.Host host, int... sizes) {
        this.host = host;
        this.sizes = sizes.clone();
    }

    @Override
    public String name() {
        return "patterns";
    }

    @Override
    public String question() {
        return "What does a call cost by its shape, size and work, beside sockets and HTTP?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("pattern", "shape", "server", "vectorSize"),
                        "meanMicros",
                        Tally::micros,
                        List.of("collections", "allocatedBytesPerCall", "wireBytesPerCall"));
        try (CallRig rig = new CallRig(host, ServiceKind.PATTERNS, Technologies.named(NAMES))) {
            for (CallPattern pattern : CallPattern.values()) {
                for (int size : sizes(pattern, contest.scale())) {
                    cell(contest, rig, pattern, size, rows);
                }
            }
        }
        return rows.table();
    }

    private int[] sizes(CallPattern pattern, Scale scale) {
        return pattern.hasVectors() ? scale.points(sizes) : new int[] {0};
    }

    private static void cell(
            Contest contest, CallRig rig, CallPattern pattern, int size, Comparison rows)
            throws Exception {
        Call call = pattern.call(size);
        Answer expected = pattern.answer(call);
        rows.add(
                List.of(
                        pattern.toString(),
                        pattern.shape(),
                        pattern.hasWork() ? "work" : "plain",
                        size),
                contest.run(
                        pattern + " of " + size, rig.trials(1, CallRig.checked(call, expected))),
                (contender, tallies) ->
                        List.of(
                                Tally.sum(tallies, tally -> tally.cost().collections()),
                                Sample.of(tallies, Tally::allocatedBytesPerOperation).mean(),
                                rig.wireBytes(contender, call, expected)));
    }
}
