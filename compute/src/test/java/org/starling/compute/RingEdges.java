package org.starling.compute;

import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** A ring with chords, over sparse ids 10, 20, 30, …; for peers in processes of their own. */
public final class RingEdges implements EdgeSource {
    /** Name of the provider. */
    public static final String NAME = "test.ring";

    private static final int PARTS = 7;

    private final long vertices;

    private RingEdges(long vertices) {
        this.vertices = vertices;
    }

    @Override
    public SourceDescription describe() {
        return new SourceDescription(PARTS, false, 0, vertices, 2 * vertices, false);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        long count = 0;
        for (long v = part; v < vertices; v += PARTS) {
            sink.edge(10 * (v + 1), 10 * ((v + 1) % vertices + 1), 1);
            sink.edge(10 * (v + 1), 10 * (v * 7 % vertices + 1), 1);
            count += 2;
        }
        return new PartSummary(count, 0, count, 0);
    }

    /** Makes rings. */
    public static final class Provider implements EdgeSourceProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public EdgeSource create(Parameters parameters) {
            return new RingEdges(parameters.integer("vertices"));
        }
    }
}
