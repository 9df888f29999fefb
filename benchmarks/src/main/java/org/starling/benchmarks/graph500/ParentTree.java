package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.IntMirror;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Shard;

/**
 * The tree that a search's parents make, if they make one: depths are rebuilt from parents alone,
 * one level a superstep. A vertex gets a depth when its parent has one.
 *
 * <p>Since each of these supersteps but the last finds a vertex, they end; what then has no depth
 * is not joined to the root by parents, whichever component it lies in. Belongs to a program's
 * instance, and to its thread. Costs one random read per vertex and level.
 */
final class ParentTree {

    /** Depth and parent of a vertex that was not reached. */
    static final int UNREACHED = -1;

    private final long root;
    private final long vertices;
    private final LongState parent;
    private final IntMirror depth;
    private final LongAggregator found;
    private final LongAggregator violation;

    /** 1 in the superstep after the last level. */
    private final LongGlobal whole;

    /** For the states that a search from the vertex with this ordinal left. */
    ParentTree(Declaration graph, long root, LongAggregator violation) {
        this.root = root;
        this.violation = violation;
        vertices = graph.graph().vertices();
        parent = graph.existingVertexState(Kernels.PARENT);
        depth = graph.intMirror("depth", UNREACHED);
        found = graph.longAggregator("found", LongCombiner.SUM);
        whole = graph.longGlobal("whole", 0);
    }

    /** True in the last superstep, when all depths are known and the program looks at rows. */
    boolean isWhole() {
        return whole.get() == 1;
    }

    /** A superstep of a shard in which the tree is not yet whole. */
    void grow(Shard shard) {
        if (shard.superstep() == 0) {
            begin(shard);
        } else {
            descend(shard);
        }
    }

    /** After a superstep: goes on to the next level, to the last superstep or to the end. */
    void advance(Master master) {
        if (violation.value() != Rule.NOTHING_BROKEN || isWhole()) {
            master.halt();
            return;
        }
        if (master.superstep() > 0 && found.value() == 0) {
            whole.set(1);
        }
        master.activateAll();
    }

    /** Superstep 0: parents are vertices, the root is its own. */
    private void begin(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            long above = parent.get(v);
            if (above < UNREACHED || above >= vertices) {
                violation.add(Rule.RANGE.brokenAt(v));
            }
        }
        if (root >= shard.first() && root < shard.end()) {
            if (parent.get(root) != root) {
                violation.add(Rule.ROOT.brokenAt(root));
            }
            depth.publish(root, 0);
        }
    }

    /** A later superstep: the next level. */
    private void descend(Shard shard) {
        int above = shard.superstep() - 1;
        long count = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            long p = parent.get(v);
            if (p != UNREACHED && depth.read(v) == UNREACHED && depth.read(p) == above) {
                depth.publish(v, above + 1);
                count++;
            }
        }
        found.add(count);
    }

    /** Ordinal of a vertex's parent, or {@link #UNREACHED}. */
    long parent(long ordinal) {
        return parent.get(ordinal);
    }

    /** Depth of any vertex, or {@link #UNREACHED}. */
    int depth(long ordinal) {
        return depth.read(ordinal);
    }
}
