package org.starling.examples;

import org.starling.graph.Declaration;
import org.starling.graph.DoubleState;
import org.starling.graph.LongState;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordCursor;
import org.starling.graph.RecordLayout;
import org.starling.graph.RecordLayout.DoubleField;
import org.starling.graph.RecordLayout.IntField;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * An auction at every vertex: neighbours ask a price for some pieces, the cheapest one wins and
 * gets what the second cheapest asked. Of equals, the one with the smallest ordinal wins.
 */
final class SecondPrice implements VertexProgram {
    private final RecordLayout offer = new RecordLayout();
    private final DoubleField price = offer.doubleField("price");
    private final IntField pieces = offer.intField("pieces");
    private LongState winner;
    private DoubleState paid;
    private RecordChannel offers;

    @Override
    public void declare(Declaration graph) {
        winner = graph.longState("winner", -1);
        paid = graph.doubleState("paid", Double.POSITIVE_INFINITY);
        offers = graph.recordChannel("offers", offer);
    }

    @Override
    public void start(Vertex v) {
        double asked = 100.0 + v.id() % 7;
        offers.message(v).set(price, asked).set(pieces, v.degree()).sendToNeighbours();
    }

    @Override
    public void compute(Vertex v) {
        double best = Double.POSITIVE_INFINITY;
        for (RecordCursor read = offers.received(v); read.next(); ) {
            double asked = read.get(price) / read.get(pieces);
            if (asked < best) {
                paid.set(v, best);
                best = asked;
                winner.set(v, read.sender());
            } else if (asked < paid.get(v)) {
                paid.set(v, asked);
            }
        }
    }
}
