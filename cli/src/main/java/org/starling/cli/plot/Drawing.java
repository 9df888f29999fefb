package org.starling.cli.plot;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A panel with its place on paper. Used once, by one thread. */
final class Drawing {
    /** Series with more values have no dots, which would cover one another. */
    static final int MAX_DOTS = 200;

    private static final int MAX_TITLE = 90;
    private static final int COLORS = 2;
    private static final double LEFT = 76;
    private static final double RIGHT = 20;
    private static final double ABOVE = 52;
    private static final double BELOW = 48;
    private static final double DOT = 2.5;
    private static final double MAX_BAR = 28;
    private static final double BAR_SHARE = 0.8;
    private static final double LEGEND_GAP = 22;
    private static final double CHARACTER = 6.6;

    private final Panel panel;
    private final String id;
    private final double top;
    private final double right;
    private final double bottom;
    private final Axis x;
    private final Axis y;

    /**
     * A panel in its place.
     *
     * @param number its number in the picture
     * @param place where it begins, from above
     */
    Drawing(Panel panel, int number, double place, double width, double height) {
        this.panel = panel;
        this.id = "panel-" + number;
        this.top = place + ABOVE;
        this.right = width - RIGHT;
        this.bottom = place + height - BELOW;
        boolean bars = panel.shape() == Panel.Shape.BARS;
        double inset = bars ? MAX_BAR / 2 : 0;
        this.x =
                Axis.of(
                        values(Point::x),
                        panel.shape() != Panel.Shape.STEPS,
                        false,
                        LEFT + inset,
                        right - inset);
        double[] heights = values(Point::y);
        // a bar stands on zero, wherever its axis begins otherwise
        this.y =
                Axis.of(
                        bars ? Arrays.copyOf(heights, heights.length + 1) : heights,
                        true,
                        true,
                        bottom,
                        top);
    }

    private double[] values(ToDoubleFunction<Point> value) {
        return panel.series().stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(value)
                .toArray();
    }

    static String shortened(String title) {
        return title.codePointCount(0, title.length()) <= MAX_TITLE
                ? title
                : title.substring(0, title.offsetByCodePoints(0, MAX_TITLE - 1)) + "…";
    }

    void into(SvgText svg) {
        svg.open("g", "role", "img", "aria-labelledby", "%s-title %s-desc".formatted(id, id));
        svg.leaf("title", panel.title(), "id", id + "-title");
        svg.leaf("desc", panel.description() + scales(), "id", id + "-desc");
        svg.leaf("text", shortened(panel.title()), "class", "title", "x", LEFT, "y", top - 32);
        legend(svg);
        grid(svg);
        for (int i = 0; i < panel.series().size(); i++) {
            String color = "s" + i % COLORS;
            if (panel.shape() == Panel.Shape.BARS) {
                bars(svg, panel.series().get(i), color);
            } else {
                line(svg, panel.series().get(i), color);
            }
        }
        svg.close();
    }

    private String scales() {
        StringBuilder text = new StringBuilder();
        if (x.isLogarithmic()) {
            text.append(" The horizontal scale is logarithmic.");
        }
        if (y.isLogarithmic()) {
            text.append(" The vertical scale is logarithmic.");
        }
        return text.toString();
    }

    private void legend(SvgText svg) {
        double place = LEFT;
        for (int i = 0; i < panel.series().size(); i++) {
            String name = shortened(panel.series().get(i).name());
            String color = "s" + i % COLORS;
            String kind = panel.shape() == Panel.Shape.BARS ? "key bar " : "line ";
            svg.empty(
                    "path",
                    "class",
                    kind + color,
                    "d",
                    "M%s %sh16".formatted(SvgText.number(place), SvgText.number(top - 16)));
            svg.leaf("text", name, "class", "legend", "x", place + LEGEND_GAP, "y", top - 12);
            place += 2 * LEGEND_GAP + name.length() * CHARACTER;
        }
    }

    private void grid(SvgText svg) {
        for (Axis.Tick tick : y.ticks()) {
            double at = y.at(tick.value());
            svg.empty("line", "class", "grid", "x1", LEFT, "x2", right, "y1", at, "y2", at);
            svg.leaf("text", tick.text(), "class", "tick end", "x", LEFT - 8, "y", at + 4);
        }
        for (Axis.Tick tick : x.ticks()) {
            double at = x.at(tick.value());
            svg.empty("line", "class", "axis", "x1", at, "x2", at, "y1", bottom, "y2", bottom + 5);
            svg.leaf("text", tick.text(), "class", "tick middle", "x", at, "y", bottom + 18);
        }
        svg.empty(
                "path",
                "class",
                "axis",
                "fill",
                "none",
                "d",
                "M%s %sV%sH%s"
                        .formatted(
                                SvgText.number(LEFT),
                                SvgText.number(top),
                                SvgText.number(bottom),
                                SvgText.number(right)));
        svg.leaf(
                "text",
                panel.xLabel(),
                "class",
                "soft middle",
                "x",
                (LEFT + right) / 2,
                "y",
                bottom + 36);
        svg.leaf(
                "text", panel.yLabel(),
                "class", "soft middle",
                "transform",
                        "translate(16 %s) rotate(-90)"
                                .formatted(SvgText.number((top + bottom) / 2)));
    }

    private void line(SvgText svg, Series series, String color) {
        List<Point> points = series.points();
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            path.append(path.isEmpty() ? "" : " ")
                    .append(SvgText.number(x.at(point.x())))
                    .append(',')
                    .append(SvgText.number(y.at(point.y())));
        }
        svg.empty("polyline", "class", "line " + color, "points", path);
        if (points.size() > MAX_DOTS) {
            return;
        }
        for (Point point : points) {
            svg.titled(
                    "circle", told(series, point),
                    "class", "dot " + color,
                    "cx", x.at(point.x()),
                    "cy", y.at(point.y()),
                    "r", DOT);
        }
    }

    private void bars(SvgText svg, Series series, String color) {
        double[] places =
                series.points().stream().mapToDouble(point -> x.at(point.x())).sorted().toArray();
        double least = MAX_BAR / BAR_SHARE;
        for (int i = 1; i < places.length; i++) {
            least = Math.min(least, places[i] - places[i - 1]);
        }
        double width = Math.max(1, least * BAR_SHARE);
        double ground = y.at(0);
        for (Point point : series.points()) {
            double at = y.at(point.y());
            svg.titled(
                    "rect",
                    told(series, point),
                    "class",
                    "bar " + color,
                    "x",
                    x.at(point.x()) - width / 2,
                    "y",
                    Math.min(at, ground),
                    "width",
                    width,
                    "height",
                    Math.abs(ground - at));
        }
    }

    private String told(Series series, Point point) {
        String place =
                point.label().isEmpty()
                        ? panel.xLabel() + " " + Axis.exact(point.x())
                        : point.label();
        return "%s: %s, %s".formatted(place, series.name(), Axis.exact(point.y()));
    }
}
