package org.starling.algorithms;

import java.util.ArrayList;
import java.util.List;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;

/** Gives each edge of a {@link Shape} a weight that depends on its two ends alone. */
enum Weighting {
    /** No weights: every edge counts 1. */
    NONE {
        @Override
        float of(long hash) {
            return 1;
        }
    },
    /** Multiples of 1/8 below 4, zero among them: sums are exact. */
    EIGHTHS {
        @Override
        float of(long hash) {
            return (hash >>> 59) / 8f;
        }
    },
    /** Any float below 1; sums are rounded. */
    UNIFORM {
        @Override
        float of(long hash) {
            return (hash >>> 40) * 0x1p-24f;
        }
    },
    /** Of very different sizes, so that small ones vanish beside large ones; half of them are 0. */
    WILD {
        @Override
        float of(long hash) {
            return (hash & 1) == 0 ? 0 : (float) Math.pow(10, (hash >>> 58) - 32.0);
        }
    };

    /** A graph of that shape with these weights, on a cluster of so many peers. */
    Lab lab(int peers, Shape shape) {
        return Lab.of(peers, ListedEdges.NAME, source(shape), options(shape));
    }

    /** Makes a graph of that shape with these weights. */
    void build(GraphSession session, String graph, Shape shape) {
        session.build(graph, ListedEdges.NAME, source(shape), options(shape));
    }

    private Parameters source(Shape shape) {
        Parameters listed = ListedEdges.parameters(shape.ids(), shape.ends(), 5);
        return this == NONE ? listed : listed.with(ListedEdges.WEIGHTS, bits(shape));
    }

    private static BuildOptions options(Shape shape) {
        return shape.isDirected() ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED;
    }

    /** Weight of the edge between two vertices; in directed graphs, of the one from a to b. */
    float weight(long a, long b, boolean directed) {
        long low = directed ? a : Math.min(a, b);
        long high = directed ? b : Math.max(a, b);
        long hash = (low * 0x9E3779B97F4A7C15L + high + Shape.SEED) * 0xC2B2AE3D27D4EB4FL;
        return of((hash ^ hash >>> 29) * 0xBF58476D1CE4E5B9L);
    }

    abstract float of(long hash);

    private List<Long> bits(Shape shape) {
        List<Long> bits = new ArrayList<>();
        List<Long> ends = shape.ends();
        for (int i = 0; i < ends.size(); i += 2) {
            float weight = weight(ends.get(i), ends.get(i + 1), shape.isDirected());
            bits.add((long) Float.floatToRawIntBits(weight));
        }
        return bits;
    }
}
