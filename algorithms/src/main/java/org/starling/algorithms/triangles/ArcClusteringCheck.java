package org.starling.algorithms.triangles;

import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Judges the coefficients that {@link ArcClusteringProgram} left, by other means than it used: adds
 * them up over all vertices, and counts the arcs between the neighbours of a sample one by one.
 * Draws vertices as {@link TrianglesCheck} does, at the same cost. One superstep.
 */
public final class ArcClusteringCheck implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.arcClusteringCheck";

    /** Parameter: the integer that the sample depends on. */
    public static final String SEED = "seed";

    /** Aggregate: smallest ordinal of a vertex that has another coefficient. */
    public static final String FIRST_WRONG = "firstWrong";

    private final VertexSample sample;
    private final Neighbourhood neighbours = new Neighbourhood();
    private Adjacency rows;
    private long vertices;
    private DoubleState clustering;
    private LongAggregator firstWrong;
    private DoubleAggregator clusteringSum;

    ArcClusteringCheck(long seed) {
        this.sample = new VertexSample(seed);
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        graph.needsIncomingEdges();
        vertices = graph.graph().vertices();
        rows = graph.wholeGraph();
        clustering = graph.existingDoubleState(TrianglesProgram.CLUSTERING);
        firstWrong = graph.longAggregator(FIRST_WRONG, LongCombiner.MIN);
        clusteringSum = graph.doubleAggregator(TrianglesProgram.CLUSTERING_SUM, DoubleCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        double coefficients = 0;
        for (long vertex = shard.first(); vertex < shard.end(); vertex++) {
            coefficients += clustering.get(vertex);
            long both = (long) rows.degree(vertex) + shard.incoming().degree(vertex);
            if (sample.takes(vertex, both, vertices)) {
                int size = neighbours.load(shard, vertex);
                double coefficient = ArcClusteringProgram.coefficient(recount(size), size);
                double difference = Math.abs(clustering.get(vertex) - coefficient);
                if (!(difference <= TrianglesCheck.TOLERANCE)) { // true for NaN
                    firstWrong.add(vertex);
                }
            }
        }
        clusteringSum.add(coefficients);
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
