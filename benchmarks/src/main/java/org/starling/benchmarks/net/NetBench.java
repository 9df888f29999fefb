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
        options.add(
                new BenchOption.Word(
                        BASELINE, "what ours is compared with", List.of(USUAL, NETTY)));
        return options;
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        NetPlan plan = NetPlan.of(choices);
        boolean netty = choices.word(BASELINE).equals(NETTY);
        if (netty && (plan.carrier() != Carrier.ETHERNET || plan.waiting() == Waiting.SPIN)) {
            throw new SenselessChoiceException(
                    "--baseline netty is for --transport ethernet, and its threads never spin");
        }
        warn(plan, progress);
        NetReport report = measure(plan, netty, progress);
        return new BenchResult(report.tree(), report.table());
    }

    /**
     * Measures this project's network beside its baseline.
     *
     * @param netty whether that is Netty, not what is usual for the transport
     */
    static NetReport measure(NetPlan plan, boolean netty, Consumer<String> progress) {
        try (BenchKeys keys = BenchKeys.of(plan);
                Contender ours = HostedContender.of(Contestant.STARLING, plan, keys.flags());
                Contender baseline =
                        netty
                                ? HostedContender.of(Contestant.NETTY, plan, List.of())
                                : baseline(plan, progress)) {
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
            warmUp(contender, plan.time());
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

    /** Until repetitions in a row have come near the best: code is compiled, and at times anew. */
    private static void warmUp(Contender contender, Duration time) {
        double best = 0;
        int steady = 0;
        for (int i = 0; i < MAX_WARM_UPS && steady < STEADY_WARM_UPS; i++) {
            double rate = contender.measure(time, false).messagesPerSecond();
            best = Math.max(best, rate);
            steady = rate > best * STEADY ? steady + 1 : 0;
        }
    }

    private static Contender baseline(NetPlan plan, Consumer<String> progress) {
        return switch (plan.carrier()) {
            case LOOPBACK -> HostedContender.of(Contestant.MEMORY, plan, List.of());
            case ETHERNET -> HostedContender.of(Contestant.NIO, plan, List.of());
            case INFINIBAND -> {
                @Nullable Contender ucx = UcxPerftest.of(plan);
                if (ucx == null) {
                    progress.accept(
                            UcxPerftest.canDo(plan)
                                    ? "ucx_perftest is not installed (package ucx-utils): raw NIO"
                                            + " is the baseline"
                                    : "ucx_perftest has no such traffic: raw NIO is the baseline");
                }
                yield ucx == null ? HostedContender.of(Contestant.NIO, plan, List.of()) : ucx;
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
