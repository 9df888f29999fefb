package org.starling.algorithms.triangles;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Judges the states that {@link TrianglesProgram} left, by other means than it used.
 *
 * <p>Adds up both states over all vertices. For about {@link VertexSample#VERTICES} vertices, fewer
 * among those of high degree, it counts the edges between neighbours one by one and compares.
 * Expected cost: {@code VERTICES} × degree² binary searches at most, degree being that of a vertex
 * drawn at random, whatever the size of the graph. One superstep.
 */
public final class TrianglesCheck implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.trianglesCheck";

    /** Parameter: the integer that the sample depends on. */
    public static final String SEED = "seed";

    /** Aggregate: smallest ordinal of a vertex that has another count or coefficient. */
    public static final String FIRST_WRONG = "firstWrong";

    /** Two ways to compute a coefficient may differ by so much. */
    static final double TOLERANCE = 1e-12;

    private final VertexSample sample;
    private Adjacency rows;
    private long vertices;
    private LongState triangles;
    private DoubleState clustering;
    private LongAggregator firstWrong;
    private LongAggregator cornerSum;
    private DoubleAggregator clusteringSum;

    TrianglesCheck(long seed) {
        this.sample = new VertexSample(seed);
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        OrientedGraph.requireFits(graph.graph(), "triangle counting");
        rows = graph.wholeGraph();
        vertices = graph.graph().vertices();
        triangles = graph.existingLongState(TrianglesProgram.TRIANGLES);
        clustering = graph.existingDoubleState(TrianglesProgram.CLUSTERING);
        firstWrong = graph.longAggregator(FIRST_WRONG, LongCombiner.MIN);
        cornerSum = graph.longAggregator(TrianglesProgram.CORNER_SUM, LongCombiner.SUM);
        clusteringSum = graph.doubleAggregator(TrianglesProgram.CLUSTERING_SUM, DoubleCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        long corners = 0;
        double coefficients = 0;
        for (long vertex = shard.first(); vertex < shard.end(); vertex++) {
            corners += triangles.get(vertex);
            coefficients += clustering.get(vertex);
            if (sample.takes(vertex, rows.degree(vertex), vertices)) {
                check(vertex);
            }
        }
        cornerSum.add(corners);
        clusteringSum.add(coefficients);
    }

    /** Triangles at a vertex: edges between its neighbours, each looked up. */
    static long recount(Adjacency rows, long vertex) {
        int degree = rows.degree(vertex);
        long count = 0;
        for (int left = 0; left < degree; left++) {
            long neighbour = rows.neighbour(vertex, left);
            // The shorter row is gone through, the longer one searched; either way only
            // neighbours after this one count, so that no edge counts twice.
            if (rows.degree(neighbour) < degree - left) {
                count += commonAfter(rows, neighbour, vertex, neighbour);
            } else {
                for (int right = left + 1; right < degree; right++) {
                    count += rows.contains(neighbour, rows.neighbour(vertex, right)) ? 1 : 0;
                }
            }
        }
        return count;
    }

    private static long commonAfter(Adjacency rows, long walked, long searched, long after) {
        long count = 0;
        for (int index = rows.degree(walked) - 1; index >= 0; index--) {
            long neighbour = rows.neighbour(walked, index);
            if (neighbour <= after) {
                break;
            }
            count += rows.contains(searched, neighbour) ? 1 : 0;
        }
        return count;
    }

    private void check(long vertex) {
        long count = recount(rows, vertex);
        double coefficient = TrianglesProgram.coefficient(count, rows.degree(vertex));
        if (triangles.get(vertex) != count
                || Math.abs(clustering.get(vertex) - coefficient) > TOLERANCE) {
            firstWrong.add(vertex);
        }
    }
}
