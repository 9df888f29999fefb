package org.starling.cli.plot;

import java.util.List;

/**
 * Values that belong together, in the order of their places. Immutable.
 *
 * @param name what the legend calls it
 * @param points its values
 */
public record Series(String name, List<Point> points) {
    /** Copies the list, without points that have no place: those that are infinite or no number. */
    public Series {
        points = points.stream().filter(Point::isDrawable).toList();
    }
}
