package org.starling.loaders;

/**
 * Edge source {@code graphalytics}: a vertex file with an id a line, and an edge file whose lines
 * are {@code source target [weight]}, as LDBC Graphalytics has them. Ids are sparse, 0 to 2⁶⁴ − 1;
 * vertices need no edges.
 *
 * <p>Parameters: {@code vertices} and {@code edges} (absolute paths), {@code weighted} (whether the
 * third field of an edge is its weight), {@code vertexCount} and {@code edgeCount} (how many there
 * must be; otherwise that is not checked), {@code partBytes} (size of parts, 4 MiB).
 */
public final class GraphalyticsProvider extends FormatProvider {
    public GraphalyticsProvider() {
        super(FileFormat.GRAPHALYTICS);
    }
}
