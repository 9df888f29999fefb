package org.starling.benchmarks.net;

import static org.starling.benchmarks.net.NetPlan.word;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.Sample;

/**
 * What a bench of messages measured.
 *
 * @param plan what was measured
 * @param time of each repetition
 * @param ours this project's network
 * @param baseline what it is compared with
 */
record NetReport(NetPlan plan, Duration time, Row ours, Row baseline) {
    /** One contender, and what it did at least once. */
    record Row(String title, List<Repetition> repetitions) {
        Row {
            repetitions = List.copyOf(repetitions);
        }

        Sample rates() {
            return Sample.of(repetitions, Repetition::messagesPerSecond);
        }

        double median(ToDoubleFunction<Repetition> figure) {
            return Sample.of(repetitions, figure).median();
        }

        /** The median over repetitions of a percentile of round trips. */
        double micros(double percentile) {
            return median(repetition -> repetition.micros(percentile));
        }
    }

    /**
     * How many times the baseline's messages a second: the median over pairs of repetitions, one
     * right after the other.
     */
    double ratio() {
        double[] ratios = new double[ours.repetitions().size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] =
                    ours.repetitions().get(i).messagesPerSecond()
                            / baseline.repetitions().get(i).messagesPerSecond();
        }
        return Sample.of(ratios).median();
    }

    /** As a JSON tree. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("transport", word(plan.carrier()));
        tree.put("mode", word(plan.mode()));
        tree.put("bytes", plan.bytes());
        tree.put("senders", plan.senders());
        tree.put("connections", plan.connections());
        tree.put("fan", word(plan.fan()));
        tree.put("nodes", plan.nodes());
        tree.put("waiting", word(plan.waiting()));
        tree.put("path", word(plan.path()));
        tree.put("tls", plan.tls());
        tree.put("seconds", time.toMillis() / 1000.0);
        tree.put("repeat", ours.repetitions().size());
        putFigures(tree, ours);
        Map<String, @Nullable Object> beside = new LinkedHashMap<>();
        beside.put("name", baseline.title());
        putFigures(beside, baseline);
        tree.put("baseline", beside);
        tree.put("ratioToBaseline", rounded(ratio()));
        tree.put("aggregationFactor", rounded(ours.median(Repetition::aggregationFactor)));
        return tree;
    }

    /** For people. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append(heading());
        text.append(line("messages/s", "min", "median", "max"));
        for (Row row : List.of(ours, baseline)) {
            Sample rate = row.rates();
            text.append(
                    line(
                            row.title(),
                            count(rate.minimum()),
                            count(rate.median()),
                            count(rate.maximum())));
        }
        if (isRoundTrip()) {
            text.append(line("round trip, µs", "p50", "p99", "p99.9"));
            for (Row row : List.of(ours, baseline)) {
                text.append(
                        line(
                                row.title(),
                                micros(row.micros(50)),
                                micros(row.micros(99)),
                                micros(row.micros(99.9))));
            }
        } else {
            double megabytes = ours.rates().median() * plan.bytes() / 1e6;
            double aggregated = ours.median(Repetition::aggregationFactor);
            text.append(line("payload, MB/s", "", count(megabytes), ""));
            text.append(line("messages in a write", "", count(aggregated), ""));
        }
        text.append(
                String.format(
                        Locale.ROOT, "%.2f times the rate of %s%n", ratio(), baseline.title()));
        return text.toString();
    }

    private boolean isRoundTrip() {
        return plan.mode() == NetPlan.Mode.ROUNDTRIP;
    }

    private String heading() {
        String shape =
                plan.mode() == NetPlan.Mode.ALLTOALL
                        ? "%d nodes, senders of each: %d".formatted(plan.nodes(), plan.senders())
                        : "senders: %d, connections: %d%s"
                                .formatted(
                                        plan.senders(),
                                        plan.connections(),
                                        plan.fan() == NetPlan.Fan.OUT
                                                ? " of the sending node"
                                                : "");
        return "%s, %s, %d bytes, %s path, %s, waiting: %s%s; %d times %s s%n"
                .formatted(
                        word(plan.carrier()),
                        word(plan.mode()),
                        plan.bytes(),
                        word(plan.path()),
                        shape,
                        word(plan.waiting()),
                        plan.tls() ? ", TLS" : "",
                        ours.repetitions().size(),
                        time.toMillis() / 1000.0);
    }

    private void putFigures(Map<String, @Nullable Object> tree, Row row) {
        Sample rate = row.rates();
        Map<String, @Nullable Object> rates = new LinkedHashMap<>();
        rates.put("min", Math.round(rate.minimum()));
        rates.put("median", Math.round(rate.median()));
        rates.put("max", Math.round(rate.maximum()));
        tree.put("messagesPerSecond", rates);
        tree.put("payloadBytesPerSecond", Math.round(rate.median() * plan.bytes()));
        Map<String, @Nullable Object> trips = new LinkedHashMap<>();
        trips.put("p50", rounded(row.micros(50)));
        trips.put("p99", rounded(row.micros(99)));
        trips.put("p999", rounded(row.micros(99.9)));
        tree.put("roundTripMicros", isRoundTrip() ? trips : null);
    }

    private static String line(String title, String first, String second, String third) {
        return "%-22s %16s %16s %16s%n".formatted(title, first, second, third);
    }

    private static String count(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    private static String micros(double number) {
        return String.format(Locale.ROOT, "%,.2f", number);
    }

    private static double rounded(double number) {
        return Math.round(number * 1000) / 1000.0;
    }
}
