package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Master;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Validates the parents that a search left. They are a tree, rebuilt by a {@link ParentTree}; then
 * one sweep looks at all rows, in which every kernel has rules of its own. Source: Graph500
 * specification, section "Validation".
 *
 * <p>An instance belongs to a worker's thread. Cost: that of the tree, and one random read per
 * stored edge.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
abstract class ValidationProgram implements ShardProgram {
    /** Parameter: ordinal of the search's root. */
    static final String ROOT = "root";

    /** Aggregator: the most basic {@link Rule} that is broken, or that none is. */
    static final String VIOLATION = "violation";

    /** Aggregator: sum of the input degrees of the vertices reached. */
    static final String DEGREES = "degrees";

    final long root;
    ParentTree tree;
    private LongAggregator violation;
    private int neighbourBytes;
    private IntState inputDegree;
    private LongAggregator degrees;

    ValidationProgram(long root) {
        this.root = root;
    }

    @Override
    public void declare(Declaration graph) {
        neighbourBytes = graph.graph().neighbourBytes();
        inputDegree = graph.existingIntState(Kernels.INPUT_DEGREE);
        violation = graph.longAggregator(VIOLATION, LongCombiner.MIN);
        degrees = graph.longAggregator(DEGREES, LongCombiner.SUM);
        tree = new ParentTree(graph, root, violation);
    }

    /** Publishes what the sweep reads of neighbours. */
    abstract void publish(Shard shard);

    /** Looks at a vertex and all its edges. */
    abstract void check(RowReader rows, long vertex);

    final void broken(Rule rule, long vertex) {
        violation.add(rule.brokenAt(vertex));
    }

    final boolean isReached(long vertex) {
        return tree.parent(vertex) != ParentTree.UNREACHED;
    }

    @Override
    public final void compute(Shard shard) {
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
    public final void afterSuperstep(Master master) {
        tree.advance(master);
    }

    private void sweep(Shard shard) {
        RowReader rows = new RowReader(shard.adjacency(), neighbourBytes);
        long edges = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            if (isReached(v)) {
                edges += inputDegree.get(v);
                if (tree.depth(v) == ParentTree.UNREACHED) {
                    broken(Rule.TREE, v);
                }
            }
            check(rows, v);
        }
        degrees.add(edges);
    }
}
