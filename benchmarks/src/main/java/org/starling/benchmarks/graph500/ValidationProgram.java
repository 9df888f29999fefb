package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Master;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Validates the parents that a search left, without believing its levels.
 *
 * <p>Depths are rebuilt by a {@link ParentTree}. A last superstep sweeps over all rows: levels
 * agree with depths, depths of neighbours differ by at most one, nobody reached has a neighbour not
 * reached, every parent is a neighbour. Source: Graph500 specification, section "Validation".
 *
 * <p>An instance belongs to a worker's thread. Cost: one random read per vertex and level, and one
 * per stored edge.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class ValidationProgram implements ShardProgram {

    static final String NAME = "graph500.validate";

    /** Parameter: ordinal of the search's root. */
    static final String ROOT = "root";

    /** Aggregator: the most basic {@link Violation}, or {@link Violation#NONE}. */
    static final String VIOLATION = "violation";

    /** Aggregator: number of vertices reached. */
    static final String REACHED = "reached";

    /** Aggregator: sum of the input degrees of the vertices reached. */
    static final String DEGREES = "degrees";

    private static final int UNREACHED = ParentTree.UNREACHED;

    private final long root;
    private int neighbourBytes;
    private ParentTree tree;
    private IntState level;
    private IntState inputDegree;
    private LongAggregator violation;
    private LongAggregator reached;
    private LongAggregator degrees;

    ValidationProgram(long root) {
        this.root = root;
    }

    @Override
    public void declare(Declaration graph) {
        neighbourBytes = graph.graph().neighbourBytes();
        level = graph.existingIntState(Kernels.LEVEL);
        inputDegree = graph.existingIntState(Kernels.INPUT_DEGREE);
        violation = graph.longAggregator(VIOLATION, LongCombiner.MIN);
        tree = new ParentTree(graph, root, violation);
        reached = graph.longAggregator(REACHED, LongCombiner.SUM);
        degrees = graph.longAggregator(DEGREES, LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        if (tree.isWhole()) {
            sweep(shard);
            return;
        }
        tree.grow(shard);
    }

    @Override
    public void afterSuperstep(Master master) {
        tree.advance(master);
    }

    private void sweep(Shard shard) {
        RowReader rows = new RowReader(shard.adjacency(), neighbourBytes);
        long count = 0;
        long edges = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            int own = tree.depth(v);
            long above = tree.parent(v);
            if (level.get(v) != own) {
                violation.add(SearchRule.LEVEL.brokenAt(v));
            }
            if (own != UNREACHED) {
                count++;
                edges += inputDegree.get(v);
            } else if (above != UNREACHED) {
                violation.add(SearchRule.TREE.brokenAt(v));
            }
            boolean confirmed = checkRow(rows, v, own, above);
            if (!confirmed && own > 0) {
                violation.add(SearchRule.REAL.brokenAt(v));
            }
        }
        reached.add(count);
        degrees.add(edges);
    }

    /** Looks at all edges of a vertex; says whether its parent is among them. */
    private boolean checkRow(RowReader rows, long v, int own, long above) {
        boolean confirmed = false;
        int degree = rows.degree(v);
        long row = degree == 0 ? 0 : rows.row(v);
        for (int index = 0; index < degree; index++) {
            long neighbour = rows.neighbour(row, index);
            int other = tree.depth(neighbour);
            if ((own == UNREACHED) != (other == UNREACHED)) {
                violation.add(SearchRule.SPAN.brokenAt(v));
            } else if (Math.abs(own - other) > 1) {
                violation.add(SearchRule.EDGE.brokenAt(v));
            }
            confirmed |= neighbour == above;
        }
        return confirmed;
    }
}
