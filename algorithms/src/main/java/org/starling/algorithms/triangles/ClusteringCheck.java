package org.starling.algorithms.triangles;

import org.jspecify.annotations.Nullable;
import org.starling.algorithms.orientation.Sample;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Judges the states that {@link TrianglesProgram} or {@link ArcClusteringProgram} left, by other
 * means than they used. In an undirected graph an edge is two arcs.
 *
 * <p>Adds up all states over all vertices. For about {@link #VERTICES} vertices, fewer among those
 * of high degree, it counts the arcs between neighbours one by one and compares. Expected cost:
 * {@code VERTICES} × degree² binary searches at most, degree being that of a vertex drawn at
 * random, whatever the size of the graph. One superstep.
 */
public final class ClusteringCheck implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.clusteringCheck";

    /** Parameter: the integer that the sample depends on. */
    public static final String SEED = "seed";

    /** Aggregate: smallest ordinal of a vertex that has another count or coefficient. */
    public static final String FIRST_WRONG = "firstWrong";

    /** Expected number of vertices that are counted again; all of a smaller graph. */
    static final int VERTICES = 2048;

    /** Vertices of a higher degree are drawn more rarely, by the factor below. */
    static final int HIGH_DEGREE = 512;

    /** One of so many sampled vertices of high degree is counted again. */
    static final int HIGH_DEGREE_ONE_IN = 32;

    /** Two ways to compute a coefficient may differ by so much. */
    private static final double TOLERANCE = 1e-12;

    private final Sample sample;
    private final Neighbourhood neighbours = new Neighbourhood();
    private Adjacency rows;
    private boolean directed;
    private long oneIn;
    private @Nullable LongState triangles;
    private DoubleState clustering;
    private LongAggregator firstWrong;
    private LongAggregator cornerSum;
    private DoubleAggregator clusteringSum;

    ClusteringCheck(Parameters parameters) {
        sample = new Sample(parameters.integer(SEED));
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        graph.needsIncomingEdges();
        directed = graph.graph().directed();
        oneIn = Math.max(1, graph.graph().vertices() / VERTICES);
        rows = graph.wholeGraph();
        triangles = directed ? null : graph.existingLongState(TrianglesProgram.TRIANGLES);
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
            corners += triangles == null ? 0 : triangles.get(vertex);
            coefficients += clustering.get(vertex);
            if (isSampled(shard, vertex) && !isRight(shard, vertex)) {
                firstWrong.add(vertex);
            }
        }
        cornerSum.add(corners);
        clusteringSum.add(coefficients);
    }

    private boolean isSampled(Shard shard, long vertex) {
        if (oneIn == 1) {
            return true;
        }
        long degree = (long) rows.degree(vertex) + (directed ? shard.incoming().degree(vertex) : 0);
        return sample.takes(vertex, oneIn)
                && (degree <= HIGH_DEGREE || sample.takes(~vertex, HIGH_DEGREE_ONE_IN));
    }

    private boolean isRight(Shard shard, long vertex) {
        int size = neighbours.load(shard, vertex);
        long arcs = recount(size);
        double coefficient = ArcClusteringProgram.coefficient(arcs, size);
        return Math.abs(clustering.get(vertex) - coefficient) <= TOLERANCE // false for NaN
                && (triangles == null || 2 * triangles.get(vertex) == arcs);
    }

    /** Arcs between the neighbours: the shorter list is gone through, the longer one searched. */
    private long recount(int size) {
        long arcs = 0;
        for (int one = 0; one < size; one++) {
            int source = neighbours.at(one);
            int degree = rows.degree(source);
            if (degree < size) {
                for (int index = 0; index < degree; index++) {
                    int target = (int) rows.neighbour(source, index);
                    arcs += neighbours.contains(target, size) ? 1 : 0;
                }
            } else {
                for (int other = 0; other < size; other++) {
                    arcs += rows.contains(source, neighbours.at(other)) ? 1 : 0;
                }
            }
        }
        return arcs;
    }
}
