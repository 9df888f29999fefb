package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.FloatState;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Master;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Validates the distances and parents that a search for shortest paths left.
 *
 * <p>Parents are a tree, rebuilt by a {@link ParentTree}. Then one sweep over all rows: every
 * distance is the parent's plus the weight of an edge between them, exactly, as floats are added;
 * no edge would bring an end nearer; nobody reached has a neighbour not reached. Duplicates of an
 * edge in the input are no lighter than the one in the graph ({@link ConstructionCheck}), so what
 * holds for it holds for them. Source: Graph500 specification, section "Validation".
 *
 * <p>An instance belongs to a worker's thread. Cost: that of the tree, and one random read per
 * stored edge.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class DistanceValidationProgram implements ShardProgram {

    static final String NAME = "graph500.validate.distances";

    private static final int FAR = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final long root;
    private int neighbourBytes;
    private ParentTree tree;
    private FloatState distance;
    private IntState inputDegree;
    private IntMirror distances;
    private LongAggregator violation;
    private LongAggregator reached;
    private LongAggregator degrees;

    DistanceValidationProgram(long root) {
        this.root = root;
    }

    @Override
    public void declare(Declaration graph) {
        neighbourBytes = graph.graph().neighbourBytes();
        distance = graph.existingFloatState(Kernels.DISTANCE);
        inputDegree = graph.existingIntState(Kernels.INPUT_DEGREE);
        distances = graph.intMirror("distances", FAR);
        violation = graph.longAggregator(ValidationProgram.VIOLATION, LongCombiner.MIN);
        reached = graph.longAggregator(ValidationProgram.REACHED, LongCombiner.SUM);
        degrees = graph.longAggregator(ValidationProgram.DEGREES, LongCombiner.SUM);
        tree = new ParentTree(graph, root, violation);
    }

    @Override
    public void compute(Shard shard) {
        if (tree.isWhole()) {
            sweep(shard);
            return;
        }
        if (shard.superstep() == 0) {
            publish(shard);
        }
        tree.grow(shard);
    }

    @Override
    public void afterSuperstep(Master master) {
        tree.advance(master);
    }

    private void publish(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            float own = distance.get(v);
            boolean isReached = own < Float.POSITIVE_INFINITY;
            if (!(own >= 0) || isReached != (tree.parent(v) != ParentTree.UNREACHED)) {
                violation.add(SearchRule.DISTANCE.brokenAt(v));
            }
            if (isReached) {
                distances.publish(v, Float.floatToRawIntBits(own));
            }
        }
    }

    private void sweep(Shard shard) {
        RowReader rows = new RowReader(shard.adjacency(), neighbourBytes);
        long count = 0;
        long edges = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            boolean isReached = distance.get(v) < Float.POSITIVE_INFINITY;
            if (isReached) {
                count++;
                edges += inputDegree.get(v);
                if (tree.depth(v) == ParentTree.UNREACHED) {
                    violation.add(SearchRule.TREE.brokenAt(v));
                }
            }
            if (v == root && distance.get(v) != 0) {
                violation.add(SearchRule.LENGTH.brokenAt(v));
            }
            boolean confirmed = checkRow(rows, v);
            if (isReached && v != root && !confirmed) {
                violation.add(SearchRule.LENGTH.brokenAt(v));
            }
        }
        reached.add(count);
        degrees.add(edges);
    }

    /** Looks at all edges of a vertex; says whether its distance is that over its parent. */
    private boolean checkRow(RowReader rows, long v) {
        float own = distance.get(v);
        long above = tree.parent(v);
        boolean confirmed = false;
        int degree = rows.degree(v);
        long row = degree == 0 ? 0 : rows.row(v);
        for (int index = 0; index < degree; index++) {
            long neighbour = rows.neighbour(row, index);
            float other = Float.intBitsToFloat(distances.read(neighbour));
            float over = other + rows.weight(row, degree, index);
            if ((own < Float.POSITIVE_INFINITY) != (other < Float.POSITIVE_INFINITY)) {
                violation.add(SearchRule.SPAN.brokenAt(v));
            } else if (over < own) {
                violation.add(SearchRule.SHORTER.brokenAt(v));
            }
            confirmed |= neighbour == above && over == own;
        }
        return confirmed;
    }
}
