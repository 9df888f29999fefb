package org.starling.benchmarks.net;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a bench of messages measured.
 *
 * @param plan what was measured
 * @param ours this project's network
 * @param baseline what it is compared with
 */
record NetReport(NetPlan plan, Row ours, Row baseline) {
    /**
     * One contender.
     *
     * @param title for people
     * @param repetitions at least one
     */
    record Row(String title, List<Measured> repetitions) {
        /** Copies the repetitions. */
        Row {
            repetitions = List.copyOf(repetitions);
        }

        Spread messagesPerSecond() {
            return Spread.of(
                    repetitions.stream().mapToDouble(Measured::messagesPerSecond).toArray());
        }

        /** Null unless round trips were measured. */
        @Nullable RoundTripMicros roundTrip() {
            List<RoundTripMicros> times =
                    repetitions.stream().map(Measured::roundTrip).filter(Objects::nonNull).toList();
            return times.isEmpty() ? null : RoundTripMicros.median(times);
        }

        double aggregationFactor() {
            return Spread.of(
                            repetitions.stream().mapToDouble(Measured::aggregationFactor).toArray())
                    .median();
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
        return Spread.of(ratios).median();
    }

    /** As a JSON tree. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("transport", plan.carrier().word());
        tree.put("mode", plan.mode().word());
        tree.put("bytes", plan.bytes());
        tree.put("senders", plan.senders());
        tree.put("connections", plan.connections());
        tree.put("fan", plan.fan().word());
        tree.put("nodes", plan.nodes());
        tree.put("waiting", word(plan.waiting()));
        tree.put("path", plan.path().word());
        tree.put("tls", plan.tls());
        tree.put("seconds", plan.time().toMillis() / 1000.0);
        tree.put("repeat", plan.repeat());
        putFigures(tree, ours);
        Map<String, @Nullable Object> beside = new LinkedHashMap<>();
        beside.put("name", baseline.title());
        putFigures(beside, baseline);
        tree.put("baseline", beside);
        tree.put("ratioToBaseline", rounded(ratio()));
        tree.put("aggregationFactor", rounded(ours.aggregationFactor()));
        return tree;
    }

    /** For people. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append(heading());
        text.append(line("messages/s", "min", "median", "max"));
        for (Row row : List.of(ours, baseline)) {
            Spread rate = row.messagesPerSecond();
            text.append(
                    line(row.title(), count(rate.min()), count(rate.median()), count(rate.max())));
        }
        if (plan.mode() == Mode.ROUNDTRIP) {
            text.append(line("round trip, µs", "p50", "p99", "p99.9"));
            for (Row row : List.of(ours, baseline)) {
                RoundTripMicros micros = row.roundTrip();
                if (micros != null) {
                    text.append(
                            line(
                                    row.title(),
                                    micros(micros.p50()),
                                    micros(micros.p99()),
                                    micros(micros.p999())));
                }
            }
        } else {
            text.append(line("payload, MB/s", "", megabytes(ours), ""));
            text.append(line("messages in a write", "", count(ours.aggregationFactor()), ""));
        }
        text.append(
                String.format(
                        Locale.ROOT, "%.2f times the rate of %s%n", ratio(), baseline.title()));
        return text.toString();
    }

    private String heading() {
        String shape =
                plan.mode() == Mode.ALLTOALL
                        ? "%d nodes, senders of each: %d".formatted(plan.nodes(), plan.senders())
                        : "senders: %d, connections: %d%s"
                                .formatted(
                                        plan.senders(),
                                        plan.connections(),
                                        plan.fan() == Fan.OUT ? " of the sending node" : "");
        return "%s, %s, %d bytes, %s path, %s, waiting: %s%s; %d times %s s%n"
                .formatted(
                        plan.carrier().word(),
                        plan.mode().word(),
                        plan.bytes(),
                        plan.path().word(),
                        shape,
                        word(plan.waiting()),
                        plan.tls() ? ", TLS" : "",
                        plan.repeat(),
                        plan.time().toMillis() / 1000.0);
    }

    private void putFigures(Map<String, @Nullable Object> tree, Row row) {
        Spread rate = row.messagesPerSecond();
        RoundTripMicros roundTrip = row.roundTrip();
        tree.put("messagesPerSecond", rate.tree());
        tree.put("payloadBytesPerSecond", Math.round(rate.median() * plan.bytes()));
        tree.put("roundTripMicros", roundTrip == null ? null : roundTrip.tree());
    }

    private String megabytes(Row row) {
        return count(row.messagesPerSecond().median() * plan.bytes() / 1e6);
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

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static double rounded(double number) {
        return Math.round(number * 1000) / 1000.0;
    }
}
