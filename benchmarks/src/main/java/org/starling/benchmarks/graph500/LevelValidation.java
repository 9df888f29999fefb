package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.Shard;

/**
 * Validates a breadth-first search without believing its levels: these agree with depths in the
 * tree, depths of neighbours differ by at most one, nobody reached has a neighbour not reached,
 * every parent is a neighbour.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class LevelValidation extends ValidationProgram {
    static final String NAME = "graph500.validate";

    private static final int UNREACHED = ParentTree.UNREACHED;

    private IntState level;

    LevelValidation(long root) {
        super(root);
    }

    @Override
    public void declare(Declaration graph) {
        super.declare(graph);
        level = graph.existingIntState(Kernels.LEVEL);
    }

    @Override
    void publish(Shard shard) {
        // depths are in the tree
    }

    @Override
    void check(RowReader rows, long v) {
        int own = tree.depth(v);
        if (level.get(v) != own) {
            broken(Rule.LEVEL, v);
        }
        boolean confirmed = false;
        int degree = rows.degree(v);
        long row = degree == 0 ? 0 : rows.row(v);
        for (int index = 0; index < degree; index++) {
            long neighbour = rows.neighbour(row, index);
            int other = tree.depth(neighbour);
            if ((own == UNREACHED) != (other == UNREACHED)) {
                broken(Rule.SPAN, v);
            } else if (Math.abs(own - other) > 1) {
                broken(Rule.EDGE, v);
            }
            confirmed |= neighbour == tree.parent(v);
        }
        if (!confirmed && own > 0) {
            broken(Rule.REAL, v);
        }
    }
}
