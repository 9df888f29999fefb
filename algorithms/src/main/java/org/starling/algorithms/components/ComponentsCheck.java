package org.starling.algorithms.components;

import org.starling.algorithms.Verdict;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Checks components by a witness: the superstep in which each vertex learned where it belongs.
 *
 * <p>Rules: (1) both ends of an edge have the same component; (2) a vertex's component is an
 * ordinal not above its own, and the vertex of that ordinal has it too; (3) vertices without a
 * neighbour of an earlier step (call them springs) are as many as vertices whose component is their
 * own ordinal.
 *
 * <p>Why that is enough: by (1) connected vertices have the same component, and by (2) it is the
 * smallest ordinal among all that have it. It remains that those are connected. From any vertex one
 * can walk along edges to ever earlier steps, which ends in a spring; so if two sets without a
 * connection had the same component, that component would have two springs. But every component has
 * one spring at least, and by (2) and (3) there are no more springs than components.
 *
 * <p>Two supersteps: components and steps are published, then every edge is looked at once.
 */
final class ComponentsCheck implements ShardProgram {
    static final String NAME = "algorithms.components.check";

    private static final long UNPUBLISHED = -1;

    private boolean directed;
    private LongState component;
    private IntState step;
    private LongMirror components;
    private IntMirror steps;
    private LongAggregator torn;
    private LongAggregator misnamed;
    private LongAggregator springs;
    private LongAggregator names;

    /**
     * Runs the check.
     *
     * @throws org.starling.graph.JobFailedException if a rule is broken
     */
    static void require(GraphSession session, String graph) {
        RunResult run = session.run(graph, NAME, Parameters.NONE);
        Verdict verdict = new Verdict(session, graph, "connected components", run);
        verdict.nobody("torn", "has a neighbour in another component");
        verdict.nobody("misnamed", "has a component that is not named after its smallest vertex");
        long springs = run.longAggregate("springs");
        long names = run.longAggregate("names");
        verdict.all(
                springs == names,
                "%d sets of connected vertices share %d components".formatted(springs, names));
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsIncomingEdges();
        directed = graph.graph().directed();
        component = graph.existingVertexState(ConnectedComponents.COMPONENT);
        step = graph.existingIntState(ConnectedComponents.STEP);
        components = graph.longMirror("components", UNPUBLISHED);
        steps = graph.intMirror("steps", 0);
        torn = graph.longAggregator("torn", LongCombiner.MIN);
        misnamed = graph.longAggregator("misnamed", LongCombiner.MIN);
        springs = graph.longAggregator("springs", LongCombiner.SUM);
        names = graph.longAggregator("names", LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (shard.superstep() == 0) {
                components.publish(v, component.get(v));
                steps.publish(v, step.get(v));
            } else {
                checkName(v, component.get(v));
                checkEdges(shard, v);
            }
        }
    }

    private void checkName(long v, long own) {
        if (own < 0 || own > v || components.read(own) != own) {
            misnamed.add(v);
        } else if (own == v) {
            names.add(1);
        }
    }

    private void checkEdges(Shard shard, long v) {
        boolean spring = leadsToNobodyEarlier(shard.adjacency(), v);
        if (directed) {
            spring &= leadsToNobodyEarlier(shard.incoming(), v);
        }
        if (spring) {
            springs.add(1);
        }
    }

    private boolean leadsToNobodyEarlier(Adjacency rows, long v) {
        long own = component.get(v);
        int ownStep = step.get(v);
        int degree = rows.degree(v);
        boolean nobody = true;
        for (int i = 0; i < degree; i++) {
            long neighbour = rows.neighbour(v, i);
            if (components.read(neighbour) != own) {
                torn.add(v);
            }
            nobody = nobody && steps.read(neighbour) >= ownStep;
        }
        return nobody;
    }
}
