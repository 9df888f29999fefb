package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.FloatState;
import org.starling.graph.IntMirror;
import org.starling.graph.Shard;

/**
 * Validates a search for shortest paths: every distance is the parent's plus the weight of an edge
 * between them, exactly, as floats are added; no edge would bring an end nearer; nobody reached has
 * a neighbour not reached. Duplicates of an edge in the input are no lighter than the one in the
 * graph ({@link ConstructionCheck}), so what holds for it holds for them.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class DistanceValidation extends ValidationProgram {
    static final String NAME = "graph500.validate.distances";

    private static final int FAR = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private FloatState distance;
    private IntMirror distances;

    DistanceValidation(long root) {
        super(root);
    }

    @Override
    public void declare(Declaration graph) {
        super.declare(graph);
        distance = graph.existingFloatState(Kernels.DISTANCE);
        distances = graph.intMirror("distances", FAR);
    }

    @Override
    void publish(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            float own = distance.get(v);
            boolean isFinite = own < Float.POSITIVE_INFINITY;
            if (!(own >= 0) || isFinite != isReached(v)) {
                broken(Rule.DISTANCE, v);
            }
            if (isFinite) {
                distances.publish(v, Float.floatToRawIntBits(own));
            }
        }
    }

    @Override
    void check(RowReader rows, long v) {
        float own = distance.get(v);
        boolean confirmed = v == root ? own == 0 : !isReached(v);
        int degree = rows.degree(v);
        long row = degree == 0 ? 0 : rows.row(v);
        for (int index = 0; index < degree; index++) {
            long neighbour = rows.neighbour(row, index);
            float other = Float.intBitsToFloat(distances.read(neighbour));
            float over = other + rows.weight(row, degree, index);
            if ((own < Float.POSITIVE_INFINITY) != (other < Float.POSITIVE_INFINITY)) {
                broken(Rule.SPAN, v);
            } else if (over < own) {
                broken(Rule.SHORTER, v);
            }
            confirmed |= v != root && neighbour == tree.parent(v) && over == own;
        }
        if (!confirmed) {
            broken(Rule.LENGTH, v);
        }
    }
}
