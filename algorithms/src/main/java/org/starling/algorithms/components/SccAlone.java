package org.starling.algorithms.components;

import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Finds all components of a small graph on each node alone ({@link Tarjan}), and counts them. One
 * superstep, however long the graph's ways are; each node holds all rows while it runs.
 */
final class SccAlone implements ShardProgram {
    static final String NAME = "algorithms.scc.alone";

    private LongState component;
    private IntState ahead;
    private IntState behind;
    private PerNode<Tarjan> found;
    private LongAggregator components;
    private LongAggregator largest;

    @Override
    public void declare(Declaration graph) {
        component =
                graph.vertexState(
                        StronglyConnectedComponents.COMPONENT,
                        StronglyConnectedComponents.UNDECIDED);
        ahead = graph.intState(StronglyConnectedComponents.AHEAD, 0);
        behind = graph.intState(StronglyConnectedComponents.BEHIND, 0);
        Adjacency rows = graph.wholeGraph();
        int vertices = Math.toIntExact(graph.graph().vertices());
        found = graph.perNode("components", () -> new Tarjan(rows, vertices));
        components = graph.longAggregator(ComponentsCensus.COMPONENTS, LongCombiner.SUM);
        largest = graph.longAggregator(ComponentsCensus.LARGEST, LongCombiner.MAX);
    }

    @Override
    public void compute(Shard shard) {
        Tarjan all = found.get();
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            int name = all.component(v);
            component.set(v, name);
            ahead.set(v, all.ahead(v));
            behind.set(v, all.behind(v));
            if (name == v) {
                components.add(1);
                largest.add(all.size(v));
            }
        }
    }
}
