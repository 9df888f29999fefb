package org.starling.algorithms.substructure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Times {@link SplitSearch} on pairs of random graphs: vertices of either, edges per hundred pairs
 * of vertices, number of labels, and "connected".
 */
final class SubstructureMeasurement {
    private SubstructureMeasurement() {}

    public static void main(String[] arguments) {
        int vertices = Integer.parseInt(arguments[0]);
        int percent = Integer.parseInt(arguments[1]);
        int labels = Integer.parseInt(arguments[2]);
        boolean connected = List.of(arguments).contains("connected");
        for (long seed = 1; seed <= 5; seed++) {
            Relation first = random(vertices, percent, seed);
            Relation second = random(vertices + 1, percent, seed + 100);
            int[][] kinds = {drawn(vertices, labels, seed), drawn(vertices + 1, labels, seed + 9)};
            Map<String, Long> calls = new HashMap<>();
            SplitSearch search =
                    new SplitSearch(
                            first, second, kinds, connected, n -> calls.merge("", n, Long::sum));
            long begin = System.nanoTime();
            search.search();
            System.out.printf(
                    "%d pairs, seed %d: size %d, %.3f s, %d calls%n",
                    vertices * (vertices + 1),
                    seed,
                    search.size(),
                    (System.nanoTime() - begin) / 1e9,
                    calls.get(""));
        }
    }

    static Relation random(int vertices, int percent, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> ends = new ArrayList<>();
        for (long v = 0; v < vertices; v++) {
            for (long w = 0; w < v; w++) {
                if (random.nextInt(100) < percent) {
                    ends.addAll(List.of(v, w, w, v));
                }
            }
        }
        return new Relation(
                new long[] {vertices - 1}, ends.stream().mapToLong(Long::longValue).toArray());
    }

    static int[] drawn(int vertices, int labels, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, vertices).map(_ -> random.nextInt(labels)).toArray();
    }
}
