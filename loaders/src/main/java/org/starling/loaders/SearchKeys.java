package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.function.LongPredicate;

/** The roots of the Graph500 searches, chosen as the reference 3.0.0 chooses them. */
public final class SearchKeys {

    /** Number of keys of a benchmark run. */
    public static final int COUNT = 64;

    private static final long SKIP_HIGH = 2;

    private SearchKeys() {}

    /**
     * Chooses keys: pseudo-random vertices with an edge, none twice. After twice as many attempts
     * as there are vertices the rest is taken as it comes, so that a tiny graph gets its keys, too.
     *
     * @param graph which graph
     * @param count how many; the first of them are the same for every {@code count}
     * @param hasEdge whether a vertex has an edge that is not a self-loop
     */
    public static long[] choose(KroneckerGraph graph, int count, LongPredicate hasEdge) {
        RecursiveGenerator seeded = RecursiveGenerator.seeded(graph.seed1(), graph.seed2());
        long vertices = graph.vertices();
        LongOpenHashSet chosen = new LongOpenHashSet();
        long[] keys = new long[count];
        long counter = 0;
        for (int slot = 0; slot < count; slot++) {
            long key;
            boolean exhausted;
            do {
                key = candidate(seeded, counter, vertices);
                counter += 2;
                exhausted = counter > 2 * vertices;
            } while (!exhausted && (chosen.contains(key) || !hasEdge.test(key)));
            chosen.add(key);
            keys[slot] = key;
        }
        return keys;
    }

    private static long candidate(RecursiveGenerator seeded, long counter, long vertices) {
        RecursiveGenerator generator = seeded.copy();
        generator.skip(SKIP_HIGH, 0, 2 * counter);
        double first = generator.nextDouble();
        double second = generator.nextDouble();
        return (long) ((first + second) * vertices) % vertices;
    }
}
