package org.starling.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table in which each cell of a study has a row for each contender, compared with the first of
 * them. Confined to one thread.
 *
 * @param <T> one measurement
 */
public final class Comparison<T> {

    private final ToDoubleFunction<T> quantity;
    private final Function<List<T>, List<? extends @Nullable Object>> figures;
    private final Table table;

    /**
     * An empty table.
     *
     * @param cell columns that say which cell it is
     * @param quantityColumn what is compared, with its unit
     * @param quantity what is compared
     * @param further columns after the comparison
     * @param figures for the further columns
     */
    public Comparison(
            List<String> cell,
            String quantityColumn,
            ToDoubleFunction<T> quantity,
            List<String> further,
            Function<List<T>, List<? extends @Nullable Object>> figures) {
        List<String> columns = new ArrayList<>(cell);
        columns.addAll(List.of("contender", quantityColumn, "stddev", "confidence99"));
        columns.addAll(List.of("timesFirst", "welchP"));
        columns.addAll(further);
        this.table = new Table(columns.toArray(String[]::new));
        this.quantity = quantity;
        this.figures = figures;
    }

    /**
     * Adds a cell.
     *
     * @param cell what stands in the first columns
     * @param measured by contender
     */
    public void add(List<?> cell, Map<String, List<T>> measured) {
        Sample first = null;
        for (Map.Entry<String, List<T>> row : measured.entrySet()) {
            Sample sample = Sample.of(row.getValue(), quantity);
            List<@Nullable Object> cells = new ArrayList<>(cell);
            cells.addAll(List.of(row.getKey(), sample.mean()));
            cells.addAll(List.of(sample.standardDeviation(), sample.confidence99()));
            cells.add(first == null ? 1.0 : sample.mean() / first.mean());
            cells.add(first == null ? null : sample.welchProbability(first));
            cells.addAll(figures.apply(row.getValue()));
            table.add(cells.toArray());
            if (first == null) {
                first = sample;
            }
        }
    }

    /** All rows so far. */
    public Table table() {
        return table;
    }
}
