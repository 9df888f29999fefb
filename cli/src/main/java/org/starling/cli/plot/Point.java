package org.starling.cli.plot;

/**
 * A value of a series.
 *
 * @param x where it stands
 * @param y the value
 * @param label what it is called; empty if its place says so
 */
public record Point(double x, double y, String label) {
    /** Numbers past it count as infinite: differences of smaller ones are still numbers. */
    private static final double MAX_MAGNITUDE = 1e300;

    /** A point without a name of its own. */
    public Point(double x, double y) {
        this(x, y, "");
    }

    /** Whether it has a place in a picture. */
    boolean isDrawable() {
        return Math.abs(x) <= MAX_MAGNITUDE && Math.abs(y) <= MAX_MAGNITUDE;
    }
}
