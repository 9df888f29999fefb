package org.starling.compute;

import java.util.function.LongPredicate;
import org.starling.graph.Declaration;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/**
 * Some vertices settle at the start although others call them; everybody else counts the calls it
 * gets, in {@code heard}. Calls come by two channels at once, and a vertex that hears only the one
 * of them takes a call off.
 */
final class Deaf implements VertexProgram {
    private final LongPredicate settles;
    private final LongPredicate calls;
    private final int supersteps;
    private final int ahead;
    private long vertices;
    private IntChannel call;
    private VertexChannel caller;
    private IntState heard;

    /**
     * @param settles says of an id whether its vertex does
     * @param calls says of an id whether its vertex calls others
     * @param supersteps in how many they do
     * @param ahead how many ordinals further the only one stands that a vertex calls directly; 0 if
     *     it calls its neighbours by broadcasts
     */
    Deaf(LongPredicate settles, LongPredicate calls, int supersteps, int ahead) {
        this.settles = settles;
        this.calls = calls;
        this.supersteps = supersteps;
        this.ahead = ahead;
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        call = graph.intChannel("call", IntCombiner.SUM);
        caller = graph.vertexChannel("caller");
        heard = graph.intState("heard", 0);
    }

    @Override
    public void start(Vertex v) {
        callOthers(v);
        if (settles.test(v.id())) {
            v.settle();
        }
    }

    @Override
    public void compute(Vertex v) {
        heard.set(v, heard.get(v) + (caller.hasReceived(v) ? call.received(v) : -1));
        callOthers(v);
    }

    private void callOthers(Vertex v) {
        if (v.superstep() >= supersteps || !calls.test(v.id())) {
            return;
        }
        if (ahead == 0) {
            call.broadcast(v, 1);
            caller.broadcast(v);
        } else {
            long other = (v.ordinal() + ahead) % vertices;
            call.send(other, 1);
            caller.send(other, v.ordinal());
        }
    }
}
