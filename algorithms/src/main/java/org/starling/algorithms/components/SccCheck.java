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
 * Checks that vertices of one component reach each other, by the witnesses that the run left.
 *
 * <p>Rules: (1) a vertex's component is an ordinal not above its own, and the vertex of that
 * ordinal has it too; call these vertices names. (2) Vertices to which no edge leads from one of
 * the same component that was reached earlier (springs) are as many as names, (3) so are vertices
 * from which no edge leads to one of the same component that was collected earlier (mouths), and
 * (4) so are vertices that are both.
 *
 * <p>Why that is enough: in each component the vertex that was reached first is a spring and the
 * one collected first a mouth; since there are no more of either than components, each has one, and
 * by (4) they are the same vertex. From any vertex one can walk against edges to ever earlier ones
 * and arrive at the spring, and along edges to the mouth. So all reach that vertex and are reached
 * from it, without leaving the component. That components are not too small is for {@link
 * SccOrderCheck} to say.
 *
 * <p>Two supersteps: components and witnesses are published, then every edge is looked at from both
 * its ends.
 */
final class SccCheck implements ShardProgram {
    static final String NAME = "algorithms.scc.check";

    static final String SUBJECT = "strongly connected components";

    private static final long UNPUBLISHED = -1;

    private LongState component;
    private IntState ahead;
    private IntState behind;
    private LongMirror components;
    private IntMirror aheads;
    private IntMirror behinds;
    private LongAggregator misnamed;
    private LongAggregator names;
    private LongAggregator springs;
    private LongAggregator mouths;
    private LongAggregator both;

    /**
     * Runs the check.
     *
     * @throws org.starling.graph.JobFailedException if a rule is broken
     */
    static void require(GraphSession session, String graph) {
        RunResult run = session.run(graph, NAME, Parameters.NONE);
        Verdict verdict = new Verdict(session, graph, SUBJECT, run);
        verdict.nobody("misnamed", "has a component that is not named after its smallest vertex");
        long names = run.longAggregate("names");
        verdict.all(
                run.longAggregate("springs") == names
                        && run.longAggregate("mouths") == names
                        && run.longAggregate("both") == names,
                "not all members of its %d components reach each other".formatted(names));
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsIncomingEdges();
        component = graph.existingVertexState(StronglyConnectedComponents.COMPONENT);
        ahead = graph.existingIntState(StronglyConnectedComponents.AHEAD);
        behind = graph.existingIntState(StronglyConnectedComponents.BEHIND);
        components = graph.longMirror("components", UNPUBLISHED);
        aheads = graph.intMirror("aheads", 0);
        behinds = graph.intMirror("behinds", 0);
        misnamed = graph.longAggregator("misnamed", LongCombiner.MIN);
        names = graph.longAggregator("names", LongCombiner.SUM);
        springs = graph.longAggregator("springs", LongCombiner.SUM);
        mouths = graph.longAggregator("mouths", LongCombiner.SUM);
        both = graph.longAggregator("both", LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (shard.superstep() == 0) {
                components.publish(v, component.get(v));
                aheads.publish(v, ahead.get(v));
                behinds.publish(v, behind.get(v));
            } else {
                checkName(v, component.get(v));
                checkPlace(shard, v);
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

    private void checkPlace(Shard shard, long v) {
        boolean spring = !hasEarlier(shard.incoming(), v, aheads, ahead.get(v));
        boolean mouth = !hasEarlier(shard.adjacency(), v, behinds, behind.get(v));
        springs.add(spring ? 1 : 0);
        mouths.add(mouth ? 1 : 0);
        both.add(spring && mouth ? 1 : 0);
    }

    private boolean hasEarlier(Adjacency rows, long v, IntMirror times, int own) {
        int degree = rows.degree(v);
        for (int i = 0; i < degree; i++) {
            long neighbour = rows.neighbour(v, i);
            if (times.read(neighbour) < own && components.read(neighbour) == component.get(v)) {
                return true;
            }
        }
        return false;
    }
}
