package org.starling.examples;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeValues;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Counts, for people with a property {@code born} and ties with a property {@code since}, the ties
 * that somebody has since childhood. Leaves the state {@code early}.
 */
public final class EarlyTies implements VertexProgram {
    private static final int CHILDHOOD = 14;

    private IntState born;
    private EdgeValues since;
    private LongState early;

    @Override
    public void declare(Declaration graph) {
        born = graph.existingIntState("born");
        since = graph.edgeValues("since");
        early = graph.longState("early", 0);
    }

    @Override
    public void start(Vertex v) {
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            if (since.asLong(edge) < born.get(v) + CHILDHOOD) {
                early.set(v, early.get(v) + 1);
            }
        }
    }

    @Override
    public void compute(Vertex v) {
        // nobody sends anything
    }
}
