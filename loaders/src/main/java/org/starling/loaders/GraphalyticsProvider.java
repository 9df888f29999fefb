package org.starling.loaders;

import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;

/**
 * Edge source {@code graphalytics}: a vertex file with an id a line, and an edge file whose lines
 * are {@code source target [weight]}, as LDBC Graphalytics has them. Ids are sparse, 0 to 2⁶⁴ − 1;
 * vertices need no edges.
 *
 * <p>Parameters: {@code vertices} and {@code edges} (absolute paths), {@code weighted} (whether the
 * third field of an edge is its weight), {@code vertexCount} and {@code edgeCount} (how many there
 * must be; otherwise that is not checked), {@code partBytes} (size of parts, 4 MiB).
 */
public final class GraphalyticsProvider implements EdgeSourceProvider {
    /** Name of the source. */
    public static final String NAME = "graphalytics";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        return new GraphalyticsSource(parameters);
    }
}
