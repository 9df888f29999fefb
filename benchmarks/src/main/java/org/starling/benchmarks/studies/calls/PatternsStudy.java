package org.starling.benchmarks.studies.calls;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.benchmarks.harness.Comparison;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Sample;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.Trial;
import org.starling.benchmarks.harness.WrongResultException;

/**
 * Call patterns over everything that a program could call with. A caller has one call under way;
 * allocated bytes and collections are those of its process and the server's.
 */
public final class PatternsStudy implements Study {
    private static final int[] SIZES = {5, 50, 500, 5_000, 50_000};

    /** Starts servers: in JVMs of their own, or in this one. */
    @FunctionalInterface
    interface Host {
        /** Starts one. */
        Technology.Server start(Technology technology) throws Exception;
    }

    /**
     * One measurement.
     *
     * @param calls how many were answered
     * @param nanos how long they took together
     * @param cost what both processes used up
     */
    private record Measured(long calls, long nanos, Cost cost) {
        double micros() {
            return nanos / 1e3 / calls;
        }

        double allocatedBytesPerCall() {
            return (double) cost.allocatedBytes() / calls;
        }
    }

    private final Host host;

    /** A study with a JVM for each server. */
    public PatternsStudy() {
        this(ChildServer::start);
    }

    PatternsStudy(Host host) {
        this.host = host;
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
        Comparison<Measured> rows =
                new Comparison<>(
                        List.of("pattern", "shape", "server", "vectorSize"),
                        "meanMicros",
                        Measured::micros,
                        List.of("collections", "allocatedBytesPerCall"),
                        measured ->
                                List.of(
                                        measured.stream()
                                                .mapToLong(one -> one.cost.collections())
                                                .sum(),
                                        Sample.of(measured, Measured::allocatedBytesPerCall)
                                                .mean()));
        Map<String, Line> lines = new LinkedHashMap<>();
        try {
            for (Technology technology : Technology.ALL) {
                lines.put(technology.name(), Line.open(technology, host));
            }
            for (CallPattern pattern : CallPattern.values()) {
                int[] sizes =
                        pattern.hasVectors() ? contest.scale().points(SIZES) : new int[] {0};
                for (int size : sizes) {
                    cell(contest, lines, pattern, size, rows);
                }
            }
        } finally {
            for (Line line : lines.values()) {
                line.close();
            }
        }
        return rows.table();
    }

    private static void cell(
            Contest contest,
            Map<String, Line> lines,
            CallPattern pattern,
            int size,
            Comparison<Measured> rows)
            throws Exception {
        Call call = pattern.call(size);
        Answer expected = CallPattern.answer(call);
        Map<String, Trial<Measured>> trials = new LinkedHashMap<>();
        lines.forEach(
                (name, line) -> trials.put(name, time -> line.measure(call, expected, time)));
        rows.add(
                List.of(
                        pattern.toString(),
                        pattern.shape(),
                        pattern.hasWork() ? "work" : "plain",
                        size),
                contest.run(pattern + " of " + size, trials));
    }

    /** A server of one technology, and a connection to it. */
    private record Line(Technology.Server server, Technology.Caller caller)
            implements AutoCloseable {
        static Line open(Technology technology, Host host) throws Exception {
            Technology.Server server = host.start(technology);
            try {
                return new Line(server, technology.connect(server));
            } catch (Exception | Error failed) {
                server.close();
                throw failed;
            }
        }

        Measured measure(Call call, Answer expected, Duration time) throws Exception {
            Cost before = server.cost().plus(Cost.soFar());
            long calls = 0;
            long begin = System.nanoTime();
            long nanos;
            do {
                Answer answer = caller.call(call);
                if (!answer.equals(expected)) {
                    throw new WrongResultException(
                            "%s was answered with %s instead of %s"
                                    .formatted(call.pattern(), answer, expected));
                }
                calls++;
                nanos = System.nanoTime() - begin;
            } while (nanos < time.toNanos());
            return new Measured(calls, nanos, Cost.soFar().plus(server.cost()).since(before));
        }

        @Override
        public void close() throws Exception {
            try (server) {
                caller.close();
            }
        }
    }
}
