package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.bench.BenchResult;
import org.starling.net.Waiting;

/**
 * {@code bench net}: messages between JVMs on the loopback interface, or inside one, with a
 * baseline of the same shape. The two take turns: a check that reads every byte, a warm-up, then
 * the repetitions that count.
 */
public final class NetBench implements Bench {
    private static final Duration CHECK_TIME = Duration.ofMillis(200);

    @Override
    public String name() {
        return "net";
    }

    @Override
    public List<BenchOption> options() {
        return NetPlan.options();
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        NetPlan plan = NetPlan.of(choices);
        warn(plan, progress);
        NetReport report = measure(plan, progress);
        return new BenchResult(report.tree(), report.table());
    }

    /** Measures this project's network beside its baseline. */
    static NetReport measure(NetPlan plan, Consumer<String> progress) {
        try (Contender ours = HostedContender.of(Contestant.STARLING, plan);
                Contender baseline = baseline(plan, progress)) {
            List<List<Measured>> all = measure(plan, List.of(ours, baseline), progress);
            return new NetReport(
                    plan,
                    new NetReport.Row(ours.title(), all.getFirst()),
                    new NetReport.Row(baseline.title(), all.getLast()));
        }
    }

    /**
     * Measures contenders in turn.
     *
     * @return for each contender its repetitions
     */
    static List<List<Measured>> measure(
            NetPlan plan, List<Contender> contenders, Consumer<String> progress) {
        List<List<Measured>> all = new ArrayList<>();
        for (Contender contender : contenders) {
            contender.measure(shorter(CHECK_TIME, plan.time()), true);
            contender.measure(plan.time(), false);
            all.add(new ArrayList<>());
        }
        progress.accept("warm, and what was sent has come");
        for (int i = 0; i < plan.repeat(); i++) {
            StringBuilder line = new StringBuilder();
            for (int j = 0; j < contenders.size(); j++) {
                Measured measured = contenders.get(j).measure(plan.time(), false);
                all.get(j).add(measured);
                line.append(j == 0 ? "" : ", ").append(brief(contenders.get(j), measured));
            }
            progress.accept("%d of %d: %s".formatted(i + 1, plan.repeat(), line));
        }
        return all;
    }

    private static Contender baseline(NetPlan plan, Consumer<String> progress) {
        return switch (plan.carrier()) {
            case LOOPBACK -> HostedContender.of(Contestant.MEMORY, plan);
            case ETHERNET -> HostedContender.of(Contestant.NIO, plan);
            case INFINIBAND -> {
                @Nullable Contender ucx = UcxPerftest.of(plan);
                if (ucx == null) {
                    progress.accept(
                            UcxPerftest.canDo(plan)
                                    ? "ucx_perftest is not installed (package ucx-utils): raw NIO"
                                            + " is the baseline"
                                    : "ucx_perftest has no such traffic: raw NIO is the baseline");
                }
                yield ucx == null ? HostedContender.of(Contestant.NIO, plan) : ucx;
            }
        };
    }

    private static void warn(NetPlan plan, Consumer<String> progress) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (plan.waiting() == Waiting.SPIN && plan.nodes() > cores) {
            progress.accept(
                    "%d nodes spin on %d cores: they will be in each other's way"
                            .formatted(plan.nodes(), cores));
        }
    }

    private static String brief(Contender contender, Measured measured) {
        RoundTripMicros roundTrip = measured.roundTrip();
        return roundTrip == null
                ? String.format(
                        Locale.ROOT,
                        "%s %,.0f messages/s",
                        contender.title(),
                        measured.messagesPerSecond())
                : String.format(
                        Locale.ROOT,
                        "%s %.1f µs (p50), %.1f µs (p99)",
                        contender.title(),
                        roundTrip.p50(),
                        roundTrip.p99());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
