package org.starling.algorithms;

import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** Edges listed in parameters, cut into as many parts as a test wants. */
public final class ListedEdges implements EdgeSourceProvider {
    static final String NAME = "test.edges";

    /** Parameter: original ids of the two ends of one edge after the other. */
    static final String ENDS = "ends";

    /** Parameter: original ids of vertices, with or without edges. */
    static final String VERTICES = "vertices";

    /** Parameter: bits of the weights of all edges, as floats; without it edges have none. */
    static final String WEIGHTS = "weights";

    private static final String PARTS = "parts";

    static Parameters parameters(List<Long> vertices, List<Long> ends, int parts) {
        return Parameters.of(ENDS, ends).with(VERTICES, vertices).with(PARTS, parts);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        return new Source(
                parameters.integers(VERTICES),
                parameters.integers(ENDS),
                parameters.has(WEIGHTS) ? parameters.integers(WEIGHTS) : new long[0],
                Math.toIntExact(parameters.integer(PARTS)));
    }

    private static final class Source implements EdgeSource {
        private final long[] vertices;
        private final long[] ends;
        private final long[] weights;
        private final int parts;

        Source(long[] vertices, long[] ends, long[] weights, int parts) {
            this.vertices = vertices;
            this.ends = ends;
            this.weights = weights;
            this.parts = parts;
        }

        @Override
        public SourceDescription describe() {
            long most = (long) vertices.length + ends.length;
            boolean weighted = weights.length > 0;
            return new SourceDescription(parts, false, 0, most, ends.length / 2, weighted);
        }

        @Override
        public PartSummary read(int part, EdgeSink sink) {
            long named = 0;
            for (int i = part; i < vertices.length; i += parts) {
                sink.vertex(vertices[i]);
                named++;
            }
            long entries = 0;
            for (int i = part; i < ends.length / 2; i += parts) {
                float weight = weights.length > 0 ? Float.intBitsToFloat((int) weights[i]) : 1;
                sink.edge(ends[2 * i], ends[2 * i + 1], weight);
                entries++;
            }
            return new PartSummary(named + entries, named, entries, 0);
        }
    }
}
