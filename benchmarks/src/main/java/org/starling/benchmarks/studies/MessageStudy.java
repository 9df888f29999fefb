package org.starling.benchmarks.studies;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.starling.benchmarks.harness.Comparison;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Sample;
import org.starling.benchmarks.harness.Scale;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.net.Contender;
import org.starling.benchmarks.net.NetPlan;
import org.starling.benchmarks.net.Repetition;

/**
 * A study of messages: in each cell plans of {@code bench net} are measured in turns, with its
 * contenders.
 *
 * @param name see {@link Study}
 * @param question see {@link Study}
 * @param shapes what is measured
 * @param labels columns that say which cell it is
 * @param rows makes an empty table
 */
record MessageStudy(
        String name,
        String question,
        Shapes shapes,
        List<String> labels,
        Supplier<Comparison<Repetition>> rows)
        implements Study {
    /** Fills the cells of a study. */
    @FunctionalInterface
    interface Shapes {
        void measure(Scale scale, Cells cells) throws Exception;
    }

    /** A study of messages that go one way. */
    static MessageStudy ofRates(String name, String question, Shapes shapes, String... labels) {
        return new MessageStudy(
                name,
                question,
                shapes,
                List.of(labels),
                () ->
                        new Comparison<>(
                                List.of(labels),
                                "messagesPerSecond",
                                Repetition::messagesPerSecond,
                                List.of("busyCores"),
                                measured -> List.of(busyCores(measured))));
    }

    /** A study of round trips. */
    static MessageStudy ofRoundTrips(
            String name, String question, Shapes shapes, String... labels) {
        return new MessageStudy(
                name,
                question,
                shapes,
                List.of(labels),
                () ->
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
                                MessageStudy::roundTrips));
    }

    @Override
    public Table run(Contest contest) throws Exception {
        try (Cells cells = new Cells(contest, labels, rows.get())) {
            shapes.measure(contest.scale(), cells);
            return cells.rows.table();
        }
    }

    /** The cells of a run, whose contenders' JVMs stay from one to the next. */
    static final class Cells implements AutoCloseable {
        private final Contest contest;
        private final List<String> labels;
        private final Comparison<Repetition> rows;
        private final Map<Contender.Kind, Contender> contenders =
                new EnumMap<>(Contender.Kind.class);

        private Cells(Contest contest, List<String> labels, Comparison<Repetition> rows) {
            this.contest = contest;
            this.labels = labels;
            this.rows = rows;
        }

        /** A cell without contenders yet, with a value for each label. */
        Cell cell(Object... values) {
            return new Cell(this, List.of(values));
        }

        @Override
        public void close() {
            contenders.values().forEach(Contender::close);
        }
    }

    /** What a cell compares: a plan for each contender, in the order of rows. */
    static final class Cell {
        private final Cells cells;
        private final List<Object> values;
        private final Map<String, Contest.Trial<Repetition>> trials = new LinkedHashMap<>();

        private Cell(Cells cells, List<Object> values) {
            this.cells = cells;
            this.values = values;
        }

        /** Adds a contender by its own name. */
        Cell with(Contender.Kind kind, NetPlan plan) {
            return with(kind.title(), kind, plan);
        }

        /** Adds a contender that is there with several plans. */
        Cell with(String name, Contender.Kind kind, NetPlan plan) {
            Contender contender = cells.contenders.computeIfAbsent(kind, Contender::ofTwoJvms);
            trials.put(name, time -> contender.measure(plan, time));
            return this;
        }

        void measure() throws Exception {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                words.add(cells.labels.get(i) + " " + values.get(i));
            }
            cells.rows.add(values, cells.contest.run(String.join(", ", words), trials));
        }
    }

    private static List<Double> roundTrips(List<Repetition> measured) {
        return List.of(
                Sample.of(measured, Repetition::meanMicros).mean(),
                Repetition.micros(measured, 50),
                Repetition.micros(measured, 99),
                busyCores(measured),
                Sample.of(measured, Repetition::allocatedBytes).mean());
    }

    private static double busyCores(List<Repetition> measured) {
        return Sample.of(measured, Repetition::busyCores).mean();
    }
}
