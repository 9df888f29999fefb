package org.starling.compute.columns;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * How the numbers of a column are spread: rows by bins that are equally wide, or whose bounds grow
 * by the same factor. Reads the table twice, batch by batch, first for the smallest and the
 * greatest number; holds no more than the bins. Confined to one thread.
 */
public final class ColumnHistogram {
    /** The most bins. */
    public static final int MAX_BINS = 200;

    /** Bins, if nobody says how many. */
    public static final int USUAL_BINS = 40;

    /** How bounds of bins follow each other. */
    public enum Scale {
        /** By the same difference. */
        LINEAR,
        /** By the same factor; numbers that are not above 0 are counted apart. */
        LOG
    }

    private final ColumnTable table;
    private final ColumnField field;
    private final Scale scale;
    private final int mostBins;

    // of the first reading
    private long rows;
    private long numbers;
    private long outside;
    private double sum;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    /** What is binned: of all finite numbers, or of those above 0. */
    private double first = Double.POSITIVE_INFINITY;

    private double last = Double.NEGATIVE_INFINITY;

    private ColumnHistogram(ColumnTable table, int bins, Scale scale) {
        this.table = table;
        this.field = table.fields().getFirst();
        this.scale = scale;
        this.mostBins = bins;
    }

    /**
     * Counts.
     *
     * @param table of one column
     * @param bins the most bins, up to {@link #MAX_BINS}; whole numbers of a short range have one
     *     each
     * @return a JSON tree
     * @throws InvalidInputException if the values are no numbers
     * @throws IOException never by itself
     */
    public static Map<String, @Nullable Object> of(ColumnTable table, int bins, Scale scale)
            throws IOException {
        if (bins < 1 || bins > MAX_BINS) {
            throw new IllegalArgumentException(bins + " bins");
        }
        ColumnField field = table.fields().getFirst();
        if (field.length() > 1 || !isNumber(field.kind())) {
            throw new InvalidInputException(
                    "column \"%s\" is of type %s, and a histogram is of numbers"
                            .formatted(field.name(), field.type()));
        }
        return new ColumnHistogram(table, bins, scale).tree();
    }

    private static boolean isNumber(ColumnField.Kind kind) {
        return switch (kind) {
            case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> true;
            case VERTEX, STRING, NAME -> false;
        };
    }

    private Map<String, @Nullable Object> tree() throws IOException {
        each(this::look);
        List<Object> bins = numbers - outside == 0 ? List.of() : bins();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("column", field.name());
        tree.put("type", field.type());
        tree.put("scale", scale == Scale.LOG ? "log" : "linear");
        tree.put("rows", rows);
        tree.put("noNumbers", rows - numbers);
        tree.put("outside", outside);
        tree.put("least", numbers == 0 ? null : shown(least));
        tree.put("most", numbers == 0 ? null : shown(most));
        tree.put("mean", numbers == 0 ? null : finite(sum / numbers));
        tree.put("bins", bins);
        return tree;
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private boolean isWhole() {
        return switch (field.kind()) {
            case BOOLEAN, INT, LONG -> true;
            case FLOAT, DOUBLE, VERTEX, STRING, NAME -> false;
        };
    }

    private Object shown(double value) {
        return isWhole() ? (Object) (long) value : (Object) value;
    }

    private void look(double value) {
        rows++;
        if (!Double.isFinite(value)) {
            return;
        }
        numbers++;
        sum += value;
        least = Math.min(least, value);
        most = Math.max(most, value);
        if (scale == Scale.LOG && value <= 0) {
            outside++;
            return;
        }
        first = Math.min(first, value);
        last = Math.max(last, value);
    }

    /** Where bins begin: one more than there are bins, the last one is where the last bin ends. */
    private double[] bounds() {
        int bins = first == last ? 1 : mostBins;
        double range = last - first;
        if (scale == Scale.LINEAR && isWhole()) {
            double step = Math.max(1, Math.ceil((range + 1) / mostBins));
            bins = (int) Math.min(mostBins, Math.floor(range / step) + 1);
            double[] bounds = new double[bins + 1];
            for (int i = 0; i <= bins; i++) {
                bounds[i] = first + i * step;
            }
            return bounds;
        }
        double[] bounds = new double[bins + 1];
        for (int i = 0; i <= bins; i++) {
            double share = (double) i / bins;
            bounds[i] =
                    scale == Scale.LOG
                            ? first * Math.pow(last / first, share)
                            : first * (1 - share) + last * share; // no range that overflows
        }
        bounds[0] = first;
        bounds[bins] = last;
        return bounds;
    }

    private List<Object> bins() throws IOException {
        double[] bounds = bounds();
        int bins = bounds.length - 1;
        long[] counts = new long[bins];
        each(value -> {
            if (Double.isFinite(value) && (scale == Scale.LINEAR || value > 0)) {
                counts[bin(bounds, value)]++;
            }
        });
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < bins; i++) {
            Map<String, @Nullable Object> bin = new LinkedHashMap<>();
            boolean isCounted = isWhole() && scale == Scale.LINEAR;
            bin.put("from", isCounted ? (Object) (long) bounds[i] : (Object) bounds[i]);
            bin.put(
                    "to",
                    isCounted
                            ? (Object) (long) Math.min(last, bounds[i + 1] - 1)
                            : (Object) bounds[i + 1]);
            bin.put("count", counts[i]);
            list.add(bin);
        }
        return list;
    }

    /** The last bin that does not begin behind the value. */
    private static int bin(double[] bounds, double value) {
        int low = 0;
        int high = bounds.length - 2;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (bounds[middle] <= value) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void each(DoubleConsumer taker) throws IOException {
        table.read(
                0,
                Long.MAX_VALUE,
                batch -> {
                    ColumnValues values = batch.values().getFirst();
                    for (int row = 0; row < batch.rows(); row++) {
                        taker.accept(values.isPresent(row) ? value(values, row) : Double.NaN);
                    }
                });
    }

    private double value(ColumnValues values, int row) {
        ByteBuffer fixed = values.fixed();
        return switch (field.kind()) {
            case BOOLEAN -> fixed.get(row);
            case INT -> fixed.getInt(row * Integer.BYTES);
            case LONG -> fixed.getLong(row * Long.BYTES);
            case FLOAT -> fixed.getFloat(row * Float.BYTES);
            case DOUBLE -> fixed.getDouble(row * Double.BYTES);
            case VERTEX, STRING, NAME -> throw new IllegalStateException(field.type());
        };
    }
}
