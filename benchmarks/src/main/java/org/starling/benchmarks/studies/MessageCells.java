package org.starling.benchmarks.studies;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.benchmarks.harness.Comparison;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Sample;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.Trial;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;
import org.starling.benchmarks.net.Repetition;

/**
 * The table of a study of messages: in each cell plans of {@code bench net} are measured in turns,
 * with its contenders, whose JVMs stay until this is closed. Confined to one thread.
 */
final class MessageCells implements AutoCloseable {
    private final Contest contest;
    private final List<String> labels;
    private final Comparison<Repetition> rows;
    private final Map<Contender.Kind, Contender> contenders = new EnumMap<>(Contender.Kind.class);

    private MessageCells(Contest contest, List<String> labels, Comparison<Repetition> rows) {
        this.contest = contest;
        this.labels = labels;
        this.rows = rows;
    }

    /**
     * Cells of messages that go one way.
     *
     * @param labels columns that say which cell it is
     */
    static MessageCells ofRates(Contest contest, String... labels) {
        Comparison<Repetition> rows =
                new Comparison<>(
                        List.of(labels),
                        "messagesPerSecond",
                        Repetition::messagesPerSecond,
                        List.of("busyCores"),
                        measured -> List.of(busyCores(measured)));
        return new MessageCells(contest, List.of(labels), rows);
    }

    /** The same of round trips. */
    static MessageCells ofRoundTrips(Contest contest, String... labels) {
        Comparison<Repetition> rows =
                new Comparison<>(
                        List.of(labels),
                        "callsPerSecond",
                        Repetition::messagesPerSecond,
                        List.of(
                                "meanMicros",
                                "p50Micros",
                                "p99Micros",
                                "busyCores",
                                "allocatedBytesPerCall"),
                        measured ->
                                List.of(
                                        Sample.of(measured, Repetition::meanMicros).mean(),
                                        Repetition.micros(measured, 50),
                                        Repetition.micros(measured, 99),
                                        busyCores(measured),
                                        Sample.of(measured, Repetition::allocatedBytes).mean()));
        return new MessageCells(contest, List.of(labels), rows);
    }

    /** What a cell compares: a plan for each contender, in the order of rows. */
    final class Cell {
        private final Map<String, Trial<Repetition>> trials = new LinkedHashMap<>();

        private Cell() {}

        /** Adds a contender by its own name. */
        Cell with(Contender.Kind kind, NetPlan plan) {
            return with(kind.title(), kind, plan);
        }

        /** Adds a contender that is there with several plans. */
        Cell with(String name, Contender.Kind kind, NetPlan plan) {
            Contender contender = contenders.computeIfAbsent(kind, Contender::ofTwoJvms);
            trials.put(name, time -> contender.measure(plan, time));
            return this;
        }

        /**
         * Measures.
         *
         * @param values of the columns that say which cell it is
         */
        void measure(Object... values) throws Exception {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < values.length; i++) {
                words.add(labels.get(i) + " " + values[i]);
            }
            rows.add(List.of(values), contest.run(String.join(", ", words), trials));
        }
    }

    /** A cell without contenders yet. */
    Cell cell() {
        return new Cell();
    }

    Table table() {
        return rows.table();
    }

    @Override
    public void close() {
        contenders.values().forEach(Contender::close);
    }

    private static double busyCores(List<Repetition> measured) {
        return Sample.of(measured, Repetition::busyCores).mean();
    }
}
