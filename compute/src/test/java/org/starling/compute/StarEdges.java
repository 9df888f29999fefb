package org.starling.compute;

import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** A star of any size: vertex 0 and its rays, generated. */
public final class StarEdges implements EdgeSourceProvider {
    static final String NAME = "test.star";
    static final String RAYS = "rays";

    private static final int PARTS = 16;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        long rays = parameters.integer(RAYS);
        return new EdgeSource() {
            @Override
            public SourceDescription describe() {
                return new SourceDescription(PARTS, true, 0, rays + 1, rays, false);
            }

            @Override
            public PartSummary read(int part, EdgeSink sink) {
                long edges = 0;
                for (long ray = part + 1L; ray <= rays; ray += PARTS) {
                    sink.edge(ray, 0, 1);
                    edges++;
                }
                return new PartSummary(edges, 0, edges, 0);
            }
        };
    }
}
