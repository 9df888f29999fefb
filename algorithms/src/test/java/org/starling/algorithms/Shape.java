package org.starling.algorithms;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleDirectedGraph;
import org.jgrapht.graph.SimpleGraph;
import org.starling.graph.BuildOptions;

/**
 * A graph for tests: as input for the engine, with self-loops and duplicates where the shape has
 * them, and as the simple graph that an oracle works on.
 */
final class Shape {
    /** Seed of all random shapes; part of their names, so that a failure shows it. */
    static final long SEED = Long.getLong("starling.test.seed", 20_261_120L);

    private final String name;
    private final boolean directed;
    private boolean wide;
    private final SortedSet<Long> vertices = new TreeSet<>();
    private final LongArrayList ends = new LongArrayList();

    private Shape(String name, boolean directed) {
        this.name = name;
        this.directed = directed;
    }

    /** Shapes whose edges have no direction. */
    static List<Shape> undirected() {
        return List.of(
                new Shape("lonely vertex", false).vertex(42),
                new Shape("one edge", false).edge(7, 3),
                new Shape("isolated vertices only", false).range(0, 100),
                star(500, 5000, false),
                path(300, false),
                cliques(1, 40),
                cliques(9, 8).range(1000, 1050),
                grid(40, 25),
                bipartite(60, 90, 400),
                random("sparse random", 400, 420, 1, false),
                random("dense random", 150, 3000, 1, false),
                random("random with large ids", 300, 900, 1_000_000_007L, false),
                hubs(600, 3000, false));
    }

    /** Shapes whose edges have a direction. */
    static List<Shape> directed() {
        return List.of(
                new Shape("one arrow", true).edge(7, 3),
                star(500, 300, true),
                path(300, true),
                new Shape("cycle", true).pathEdges(200).edge(199, 0),
                new Shape("two cycles, one way between", true)
                        .edge(0, 1)
                        .edge(1, 2)
                        .edge(2, 0)
                        .edge(2, 3)
                        .edge(3, 4)
                        .edge(4, 3),
                random("sparse random", 400, 800, 3, true),
                random("dense random", 150, 3000, 1, true),
                hubs(600, 2500, true));
    }

    /** Random shapes, to be stored with neighbours of 8 bytes. */
    static List<Shape> wideUndirected() {
        return List.of(
                random("random with large ids", 300, 900, 1_000_000_007L, false).wide(),
                hubs(600, 3000, false).wide());
    }

    /** Random shapes with directions, to be stored with neighbours of 8 bytes. */
    static List<Shape> wideDirected() {
        return List.of(
                random("sparse random", 400, 800, 3, true).wide(),
                random("dense random", 150, 3000, 1, true).wide());
    }

    static Shape star(long centre, int rays, boolean directed) {
        Shape star = new Shape("star", directed);
        for (long ray = 0; ray < rays; ray++) {
            star.edge(centre, ray == centre ? rays : ray);
        }
        return star;
    }

    static Shape path(int length, boolean directed) {
        return new Shape("path of " + length, directed).pathEdges(length);
    }

    /** A shape without edges yet. */
    static Shape edges(String name, boolean directed) {
        return new Shape(name, directed);
    }

    /** Directed cycles, an edge leading from each to the next one. */
    static Shape chainOfCycles(int count, int length) {
        Shape chain = new Shape(count + " cycles of " + length + " in a row", true);
        for (int first = 0; first < count * length; first += length) {
            for (int i = 0; i < length; i++) {
                chain.edge(first + i, first + (i + 1) % length);
            }
            if (first > 0) {
                chain.edge(first - 1, first);
            }
        }
        return chain;
    }

    /** Directed cycles, an edge leading from each to all later ones. */
    static Shape tournamentOfCycles(int count, int length) {
        Shape tournament = new Shape(count + " cycles of " + length + ", each to all later", true);
        for (int first = 0; first < count * length; first += length) {
            for (int i = 0; i < length; i++) {
                tournament.edge(first + i, first + (i + 1) % length);
            }
            for (int later = first + length; later < count * length; later += length) {
                tournament.edge(first, later);
            }
        }
        return tournament;
    }

    /** How the vertices of a shape are numbered anew. */
    enum Numbering {
        AS_MADE,
        BACKWARDS,
        SHUFFLED
    }

    /** The same shape with other ids: places of the old ones, in that order. */
    Shape renumbered(Numbering numbering) {
        List<Long> order = ids();
        switch (numbering) {
            case AS_MADE -> {}
            case BACKWARDS -> Collections.reverse(order);
            case SHUFFLED -> Collections.shuffle(order, new Random(SEED));
        }
        Long2LongOpenHashMap places = new Long2LongOpenHashMap();
        for (long id : order) {
            places.put(id, places.size());
        }
        Shape shape = new Shape(name + " " + numbering, directed);
        places.values().forEach(shape::vertex);
        for (int i = 0; i < ends.size(); i += 2) {
            shape.edge(places.get(ends.getLong(i)), places.get(ends.getLong(i + 1)));
        }
        return shape;
    }

    static Shape cliques(int count, int size) {
        Shape cliques = new Shape(count + " cliques of " + size, false);
        for (int clique = 0; clique < count; clique++) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < i; j++) {
                    cliques.edge(i * count + clique, j * count + clique);
                }
            }
        }
        return cliques;
    }

    static Shape grid(int columns, int rows) {
        Shape grid = new Shape("grid", false);
        for (int x = 0; x < columns; x++) {
            for (int y = 0; y < rows; y++) {
                grid.edge(x + columns * y, x + 1 < columns ? x + 1 + columns * y : columns * y);
                grid.edge(x + columns * y, x + columns * Math.max(0, y - 1));
            }
        }
        return grid;
    }

    static Shape bipartite(int left, int right, int edges) {
        Random random = new Random(SEED);
        Shape bipartite = new Shape("bipartite" + seeded(), false).range(0, left + right);
        for (int i = 0; i < edges; i++) {
            bipartite.edge(random.nextInt(left), left + random.nextInt(right));
        }
        return bipartite;
    }

    /** Every vertex with the same chances; self-loops, duplicates and empty rows as they come. */
    static Shape random(String kind, int vertices, int edges, long stride, boolean directed) {
        Random random = new Random(SEED);
        Shape shape = new Shape(kind + seeded(), directed);
        for (int i = 0; i < vertices; i++) {
            shape.vertex(i * stride);
        }
        for (int i = 0; i < edges; i++) {
            shape.edge(random.nextInt(vertices) * stride, random.nextInt(vertices) * stride);
        }
        return shape.edge(0, 0).edge(0, stride).edge(0, stride).edge(stride, 0);
    }

    /** A few vertices have most of the edges, and many have none. */
    static Shape hubs(int vertices, int edges, boolean directed) {
        Random random = new Random(SEED);
        Shape shape = new Shape("hubs" + seeded(), directed).range(0, vertices);
        for (int i = 0; i < edges; i++) {
            shape.edge(skewed(random, vertices), skewed(random, vertices));
        }
        return shape;
    }

    private static long skewed(Random random, int vertices) {
        double uniform = random.nextDouble();
        return (long) (vertices * uniform * uniform * uniform * uniform);
    }

    private static String seeded() {
        return " (seed " + SEED + ")";
    }

    Shape vertex(long id) {
        vertices.add(id);
        return this;
    }

    Shape range(int first, int end) {
        for (long id = first; id < end; id++) {
            vertex(id);
        }
        return this;
    }

    Shape edge(long source, long target) {
        ends.add(source);
        ends.add(target);
        return vertex(source).vertex(target);
    }

    private Shape pathEdges(int length) {
        for (int i = 1; i < length; i++) {
            edge(i - 1, i);
        }
        return this;
    }

    private Shape wide() {
        wide = true;
        return this;
    }

    /** How a graph of this shape is made. */
    BuildOptions options() {
        BuildOptions options = directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED;
        return wide ? options.withWideNeighbours() : options;
    }

    boolean isDirected() {
        return directed;
    }

    /** Original ids, ascending. */
    List<Long> ids() {
        return new ArrayList<>(vertices);
    }

    /** Original ids of the two ends of one edge after the other. */
    List<Long> ends() {
        return ends;
    }

    /** The simple graph, its vertices being original ids. */
    Graph<Long, DefaultEdge> oracle() {
        Graph<Long, DefaultEdge> graph =
                directed
                        ? new SimpleDirectedGraph<>(DefaultEdge.class)
                        : new SimpleGraph<>(DefaultEdge.class);
        vertices.forEach(graph::addVertex);
        for (int i = 0; i < ends.size(); i += 2) {
            if (ends.getLong(i) != ends.getLong(i + 1)) {
                graph.addEdge(ends.getLong(i), ends.getLong(i + 1));
            }
        }
        return graph;
    }

    @Override
    public String toString() {
        return (wide ? "wide " : "") + (directed ? "directed " : "") + name;
    }
}
