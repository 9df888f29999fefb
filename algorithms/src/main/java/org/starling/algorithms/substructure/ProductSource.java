package org.starling.algorithms.substructure;

import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Makes the modular product of two graphs: a vertex for each of the given pairs, and an edge
 * between two pairs that have no vertex in common if the two vertices of the first graph lie to
 * each other as those of the second do. Where there is an edge between them, the product's edge
 * weighs {@link #LINK}, where there is none, {@link #NO_LINK}.
 *
 * <p>Source: G. Levi, "A note on the derivation of maximal common subgraphs of two directed or
 * undirected graphs", Calcolo 9 (1973); the two kinds of edges: I. Koch, Theoret. Comput. Sci. 250
 * (2001).
 */
public final class ProductSource implements EdgeSourceProvider {
    /** Name of the source. */
    static final String NAME = "algorithms.product";

    /** Parameter: vertex of the first graph for each pair, numbered from 0. */
    static final String FIRST = "first";

    /** Parameter: vertex of the second graph for each pair, numbered from 0. */
    static final String SECOND = "second";

    /** Parameter: two vertices for each edge of the first graph. */
    static final String FIRST_EDGES = "firstEdges";

    /** Parameter: two vertices for each edge of the second graph. */
    static final String SECOND_EDGES = "secondEdges";

    /** Weight of edges between pairs whose vertices are neighbours. */
    static final float LINK = 2;

    /** Weight of edges between pairs whose vertices are not. */
    static final float NO_LINK = 1;

    private static final int MAX_PARTS = 64;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        long[] first = parameters.integers(FIRST);
        long[] second = parameters.integers(SECOND);
        return new Product(
                first,
                second,
                new Relation(first, parameters.integers(FIRST_EDGES)),
                new Relation(second, parameters.integers(SECOND_EDGES)));
    }

    private static final class Product implements EdgeSource {
        private final long[] first;
        private final long[] second;
        private final Relation inFirst;
        private final Relation inSecond;

        Product(long[] first, long[] second, Relation inFirst, Relation inSecond) {
            this.first = first;
            this.second = second;
            this.inFirst = inFirst;
            this.inSecond = inSecond;
        }

        @Override
        public SourceDescription describe() {
            long edges = 0;
            for (int pair = 0; pair < first.length; pair++) {
                for (int other = 0; other < pair; other++) {
                    edges += weight(pair, other) > 0 ? 1 : 0;
                }
            }
            int parts = Math.clamp(first.length, 1, MAX_PARTS);
            return new SourceDescription(parts, true, 0, first.length, edges, true);
        }

        @Override
        public PartSummary read(int part, EdgeSink sink) {
            int parts = Math.clamp(first.length, 1, MAX_PARTS);
            long pairs = 0;
            long edges = 0;
            for (int pair = part; pair < first.length; pair += parts) {
                sink.vertex(pair);
                pairs++;
                for (int other = 0; other < pair; other++) {
                    float weight = weight(pair, other);
                    if (weight > 0) {
                        sink.edge(pair, other, weight);
                        edges++;
                    }
                }
            }
            return new PartSummary(pairs, pairs, edges, 0);
        }

        /** Weight of the edge between two pairs; 0 if there is none. */
        private float weight(int pair, int other) {
            if (first[pair] == first[other] || second[pair] == second[other]) {
                return 0;
            }
            int relation = inFirst.of((int) first[pair], (int) first[other]);
            if (relation != inSecond.of((int) second[pair], (int) second[other])) {
                return 0;
            }
            return relation == 0 ? NO_LINK : LINK;
        }
    }
}
