package org.starling.loaders;

import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/**
 * Edge source {@code uniform}: both ends of every edge are drawn evenly and independently (the
 * random graph of Erdős and Rényi, with a fixed number of edges and with repetition). Parameters:
 * {@code scale}, {@code edgefactor} (16), {@code seeds} ([2, 3]), {@code weights} (false; drawn
 * evenly from 0 to 1). Ids are dense, from 0.
 */
public final class UniformProvider implements EdgeSourceProvider {

    @Override
    public String name() {
        return "uniform";
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidInputException if scale or edgefactor is out of range
     */
    @Override
    public EdgeSource create(Parameters parameters) {
        long[] seeds = GraphSize.seeds(parameters);
        int scale = GraphSize.scale(parameters);
        long edges = GraphSize.edgeFactor(parameters) << scale;
        boolean weighted = parameters.flag("weights");
        long seed = Mix64.mix(Mix64.mix(seeds[0]) + seeds[1]);
        return new GeneratedSource(
                name(), 1L << scale, edges, weighted, edges, new Maker(scale, seed, weighted));
    }

    /** Immutable. Every edge is a function of its number and the seed. */
    private record Maker(int scale, long seed, boolean weighted) implements GeneratedSource.Maker {

        private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
        private static final int WORDS_PER_EDGE = 3;
        private static final int FLOAT_BITS = 24;

        @Override
        public long make(long first, long end, EdgeSink sink) {
            for (long edge = first; edge < end; edge++) {
                sink.edge(vertex(word(edge, 0)), vertex(word(edge, 1)), weight(edge));
            }
            return end - first;
        }

        private long vertex(long word) {
            return word >>> (Long.SIZE - scale);
        }

        private float weight(long edge) {
            return weighted ? (word(edge, 2) >>> (Long.SIZE - FLOAT_BITS)) * 0x1p-24f : 1f;
        }

        /** A random word of an edge. */
        private long word(long edge, int index) {
            return Mix64.mix(seed + (edge * WORDS_PER_EDGE + index + 1) * GOLDEN_GAMMA);
        }
    }
}
