package org.starling.examples;

import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** How many friends a vertex's friends have on average: everybody tells everybody once. */
final class FriendsOfFriends implements VertexProgram {
    private DoubleState average;
    private LongChannel friends;
    private DoubleAggregator sum;

    @Override
    public void declare(Declaration graph) {
        average = graph.doubleState("friendsOfFriends", 0);
        friends = graph.longChannel("friends", LongCombiner.SUM);
        sum = graph.doubleAggregator("sum", DoubleCombiner.SUM);
    }

    @Override
    public void start(Vertex v) {
        friends.broadcast(v, v.degree());
    }

    @Override
    public void compute(Vertex v) {
        double mean = (double) friends.received(v) / v.degree();
        average.set(v, mean);
        sum.add(mean);
    }
}
