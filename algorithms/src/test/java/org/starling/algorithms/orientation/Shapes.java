package org.starling.algorithms.orientation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Edge lists of graphs of many shapes. */
public final class Shapes {
    private Shapes() {}

    /** Each pair with the given probability. */
    public static ArrayGraph random(int vertices, double probability, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<int[]> edges = new ArrayList<>();
        for (int left = 0; left < vertices; left++) {
            for (int right = 0; right < left; right++) {
                if (random.nextDouble() < probability) {
                    edges.add(new int[] {left, right});
                }
            }
        }
        return ArrayGraph.of(vertices, edges);
    }

    /** A few vertices with very many edges, and a long tail. */
    public static ArrayGraph skewed(int vertices, int edgeCount, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<int[]> edges = new ArrayList<>();
        for (int edge = 0; edge < edgeCount; edge++) {
            int left = (int) (vertices * Math.pow(random.nextDouble(), 3));
            int right = (int) (vertices * Math.pow(random.nextDouble(), 3));
            edges.add(new int[] {left, right});
        }
        return ArrayGraph.of(vertices, edges);
    }

    /** Every vertex is a neighbour of every other that is not in its part. */
    public static ArrayGraph multipartite(int parts, int verticesPerPart) {
        List<int[]> edges = new ArrayList<>();
        for (int left = 0; left < parts * verticesPerPart; left++) {
            for (int right = 0; right < left; right++) {
                if (left / verticesPerPart != right / verticesPerPart) {
                    edges.add(new int[] {left, right});
                }
            }
        }
        return ArrayGraph.of(parts * verticesPerPart, edges);
    }

    /** Every vertex is a neighbour of every other. */
    public static ArrayGraph complete(int vertices) {
        return multipartite(vertices, 1);
    }

    /** Vertex 0 is the only neighbour of all others. */
    public static ArrayGraph star(int leaves) {
        List<int[]> edges = new ArrayList<>();
        for (int leaf = 1; leaf <= leaves; leaf++) {
            edges.add(new int[] {0, leaf});
        }
        return ArrayGraph.of(leaves + 1, edges);
    }

    /** Words of {@code digits} digits below {@code base}; neighbours differ in one digit. */
    public static ArrayGraph hamming(int digits, int base) {
        int vertices = (int) Math.pow(base, digits);
        List<int[]> edges = new ArrayList<>();
        for (int word = 0; word < vertices; word++) {
            for (int place = 1; place < vertices; place *= base) {
                for (int digit = word / place % base + 1; digit < base; digit++) {
                    edges.add(new int[] {word, word + (digit - word / place % base) * place});
                }
            }
        }
        return ArrayGraph.of(vertices, edges);
    }

    /** Subsets of {@code chosen} out of {@code elements}; neighbours share all elements but one. */
    public static ArrayGraph johnson(int elements, int chosen) {
        List<Integer> subsets = new ArrayList<>();
        for (int subset = 0; subset < 1 << elements; subset++) {
            if (Integer.bitCount(subset) == chosen) {
                subsets.add(subset);
            }
        }
        List<int[]> edges = new ArrayList<>();
        for (int left = 0; left < subsets.size(); left++) {
            for (int right = 0; right < left; right++) {
                if (Integer.bitCount(subsets.get(left) & subsets.get(right)) == chosen - 1) {
                    edges.add(new int[] {left, right});
                }
            }
        }
        return ArrayGraph.of(subsets.size(), edges);
    }

    /** A graph without the edges of another one. */
    public static ArrayGraph complement(ArrayGraph graph) {
        List<int[]> edges = new ArrayList<>();
        for (int left = 0; left < graph.vertices(); left++) {
            for (int right = 0; right < left; right++) {
                if (!graph.contains(left, right)) {
                    edges.add(new int[] {left, right});
                }
            }
        }
        return ArrayGraph.of(graph.vertices(), edges);
    }

    /**
     * All edges but those between the two halves of each block, the halves being of random sizes:
     * few maximal cliques (one half of each block), but no vertex that sees all others.
     */
    public static ArrayGraph withoutBlocks(int blocks, int largestHalf, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<int[]> missing = new ArrayList<>();
        int vertices = 0;
        for (int block = 0; block < blocks; block++) {
            int middle = vertices + random.nextInt(1, largestHalf + 1);
            int end = middle + random.nextInt(1, largestHalf + 1);
            for (int left = vertices; left < middle; left++) {
                for (int right = middle; right < end; right++) {
                    missing.add(new int[] {left, right});
                }
            }
            vertices = end;
        }
        return complement(ArrayGraph.of(vertices, missing));
    }

    /** Small graphs of all kinds by name; those of chance depend on the seed. */
    public static Map<String, ArrayGraph> assortment(long seed) {
        Map<String, ArrayGraph> shapes = new LinkedHashMap<>();
        shapes.put("empty", ArrayGraph.of(0, List.of()));
        shapes.put("isolated", ArrayGraph.of(9, List.of()));
        shapes.put("one edge", ArrayGraph.of(3, List.of(new int[] {0, 2})));
        shapes.put("star", star(20));
        shapes.put("complete", complete(12));
        shapes.put("bipartite", multipartite(2, 8));
        shapes.put("octahedral", multipartite(5, 2));
        shapes.put("hypercube", hamming(5, 2));
        shapes.put("johnson", johnson(6, 3));
        shapes.put("sparse", random(80, 0.05, seed));
        shapes.put("medium", random(60, 0.3, seed + 1));
        shapes.put("dense", random(30, 0.8, seed + 2));
        shapes.put("skewed", skewed(300, 1500, seed + 3));
        shapes.put("nearly complete", complement(random(90, 0.003, seed + 4)));
        shapes.put("few blocks missing", withoutBlocks(3, 30, seed + 5));
        return shapes;
    }
}
