package org.starling.algorithms.cliques;

import org.starling.graph.Declaration;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Master;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Lets the members of a clique, marked by a state, call their neighbours: each member must hear all
 * others, and nobody else all members. Looks at the edges of members only.
 */
public final class CliqueMembersCheck implements VertexProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.maximumclique.check";

    /** Aggregate: members that do not hear all others. */
    public static final String STRANGERS = "strangers";

    /** Aggregate: a vertex that hears all members and is none. */
    public static final String OUTSIDERS = "outsiders";

    private IntState member;
    private IntChannel heard;
    private LongAggregator members;
    private LongAggregator strangers;
    private LongAggregator outsiders;

    @Override
    public void declare(Declaration graph) {
        member = graph.existingIntState(MaximumProgram.MEMBER);
        heard = graph.intChannel("heard", IntCombiner.SUM);
        members = graph.longAggregator("members", LongCombiner.SUM);
        strangers = graph.longAggregator(STRANGERS, LongCombiner.MIN);
        outsiders = graph.longAggregator(OUTSIDERS, LongCombiner.MIN);
    }

    @Override
    public void start(Vertex v) {
        if (member.get(v) == 1) {
            members.add(1);
            heard.broadcast(v, 1);
        }
    }

    @Override
    public void compute(Vertex v) {
        long count = heard.received(v);
        if (member.get(v) == 1 && count != members.value() - 1) {
            strangers.add(v.ordinal());
        } else if (member.get(v) == 0 && count == members.value()) {
            outsiders.add(v.ordinal());
        }
    }

    /** Members that nobody calls must compute, too. */
    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == 0) {
            master.activateAll();
        }
    }
}
