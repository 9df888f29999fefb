package org.starling.cli.plot;

import java.util.List;
import java.util.Locale;

/**
 * One picture between two axes. Immutable.
 *
 * @param title what stands above it
 * @param xLabel what its horizontal axis counts
 * @param yLabel what its vertical axis counts
 * @param shape how values are drawn
 * @param series what is drawn, at least one value
 */
public record Panel(String title, String xLabel, String yLabel, Shape shape, List<Series> series) {
    /** How values are drawn. */
    public enum Shape {
        /** Lines over numbered steps: their axis is never logarithmic. */
        STEPS,
        /** Lines. */
        LINES,
        /** Bars. */
        BARS
    }

    /** Copies the list, and demands something to draw. */
    public Panel {
        series = List.copyOf(series);
        if (series.stream().allMatch(each -> each.points().isEmpty())) {
            throw new IllegalArgumentException("nothing to draw in \"" + title + "\"");
        }
    }

    /** What somebody who does not see it is told. */
    String description() {
        StringBuilder text = new StringBuilder();
        text.append(shape == Shape.BARS ? "Bars of " : "Lines of ")
                .append(yLabel)
                .append(" by ")
                .append(xLabel)
                .append('.');
        for (Series each : series) {
            double[] values = each.points().stream().mapToDouble(Point::y).sorted().toArray();
            if (values.length > 0) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                " %s: %,d values from %s to %s.",
                                each.name(),
                                values.length,
                                Axis.text(values[0]),
                                Axis.text(values[values.length - 1])));
            }
        }
        return text.toString();
    }
}
