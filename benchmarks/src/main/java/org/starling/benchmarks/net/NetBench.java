package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.bench.BenchResult;
import org.starling.compute.bench.SenselessChoiceException;
import org.starling.net.Waiting;

/**
 * {@code bench net}: messages between JVMs on the loopback interface, or inside one, with a
 * baseline of the same shape. The two take turns: a check that reads every byte, a warm-up until it
 * gets no faster, then the repetitions that count.
 */
public final class NetBench implements Bench {
    private static final String BASELINE = "baseline";
    private static final String USUAL = "usual";
    private static final String NETTY = "netty";
    private static final String SECONDS = "seconds";
    private static final String REPEAT = "repeat";
    private static final int MAX_SECONDS = 600;
    private static final int MAX_REPEAT = 100;
    private static final Duration CHECK_TIME = Duration.ofMillis(200);

    /** Bound of the warm-up, in repetitions. */
    private static final int MAX_WARM_UPS = 12;

    /** So many in a row end it … */
    private static final int STEADY_WARM_UPS = 3;

    /** … that reach this part of the best one. */
    private static final double STEADY = 0.85;

    @Override
    public String name() {
        return "net";
    }

    @Override
    public List<BenchOption> options() {
        List<BenchOption> options = new ArrayList<>(NetPlan.options());
        options.add(new BenchOption.Whole(SECONDS, "time of each repetition", 2, 1, MAX_SECONDS));
        options.add(
                new BenchOption.Whole(REPEAT, "repetitions, after a warm-up", 5, 1, MAX_REPEAT));
        options.add(
                new BenchOption.Word(
                        BASELINE, "what ours is compared with", List.of(USUAL, NETTY)));
        return options;
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        NetPlan plan = NetPlan.of(choices);
        boolean netty = choices.word(BASELINE).equals(NETTY);
        if (netty
                && (plan.carrier() != NetPlan.Carrier.ETHERNET || plan.waiting() == Waiting.SPIN)) {
            throw new SenselessChoiceException(
                    "--baseline netty is for --transport ethernet, and its threads never spin");
        }
        warn(plan, progress);
        NetReport report =
                measure(
                        plan,
                        netty ? Contender.Kind.NETTY : usualBaseline(plan),
                        Duration.ofSeconds(choices.number(SECONDS)),
                        (int) choices.number(REPEAT),
                        progress);
        return new BenchResult(report.tree(), report.table());
    }

    /** Measures this project's network beside a baseline. */
    static NetReport measure(
            NetPlan plan,
            Contender.Kind baseline,
            Duration time,
            int repeat,
            Consumer<String> progress) {
        try (BenchKeys keys = BenchKeys.of(plan);
                Contender ours =
                        new Contender(Contender.Kind.STARLING, keys.flags(), plan.nodes());
                Contender beside = new Contender(baseline, List.of(), plan.nodes())) {
            for (Contender contender : List.of(ours, beside)) {
                contender.measure(plan, CHECK_TIME, true);
                warmUp(contender, plan, time);
            }
            progress.accept("warm, and what was sent has come");
            List<Repetition> mine = new ArrayList<>();
            List<Repetition> theirs = new ArrayList<>();
            for (int i = 1; i <= repeat; i++) {
                mine.add(ours.measure(plan, time));
                theirs.add(beside.measure(plan, time));
                String line =
                        "%d of %d: %s, %s"
                                .formatted(
                                        i,
                                        repeat,
                                        brief(plan, ours, mine.getLast()),
                                        brief(plan, beside, theirs.getLast()));
                progress.accept(line);
            }
            return new NetReport(
                    plan,
                    time,
                    new NetReport.Row(ours.title(), mine),
                    new NetReport.Row(beside.title(), theirs));
        }
    }

    /** Until repetitions in a row have come near the best: code is compiled, and at times anew. */
    private static void warmUp(Contender contender, NetPlan plan, Duration time) {
        double best = 0;
        int steady = 0;
        for (int i = 0; i < MAX_WARM_UPS && steady < STEADY_WARM_UPS; i++) {
            double rate = contender.measure(plan, time).messagesPerSecond();
            best = Math.max(best, rate);
            steady = rate > best * STEADY ? steady + 1 : 0;
        }
    }

    /** Inside one JVM a copy, which has no round trips; else plain sockets. */
    private static Contender.Kind usualBaseline(NetPlan plan) {
        return plan.carrier() == NetPlan.Carrier.LOOPBACK && plan.mode() != NetPlan.Mode.ROUNDTRIP
                ? Contender.Kind.MEMORY
                : Contender.Kind.NIO;
    }

    private static void warn(NetPlan plan, Consumer<String> progress) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (plan.waiting() == Waiting.SPIN && plan.nodes() > cores) {
            progress.accept(
                    "%d nodes spin on %d cores: they will be in each other's way"
                            .formatted(plan.nodes(), cores));
        }
    }

    private static String brief(NetPlan plan, Contender contender, Repetition measured) {
        return plan.mode() == NetPlan.Mode.ROUNDTRIP
                ? String.format(
                        Locale.ROOT,
                        "%s %.1f µs (p50), %.1f µs (p99)",
                        contender.title(),
                        measured.micros(50),
                        measured.micros(99))
                : String.format(
                        Locale.ROOT,
                        "%s %,.0f messages/s",
                        contender.title(),
                        measured.messagesPerSecond());
    }
}
