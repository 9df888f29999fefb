package org.starling.testkit;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Counts to {@value #ROUNDS}, telling neighbours what it has heard; each fault makes it leave
 * something else in some of the ways in which it may run.
 */
final class Faulty implements VertexProgram {
    static final int ROUNDS = 5;

    enum Fault {
        NONE,
        /** Does not say that it can't go on in new instances, but keeps its sum in a field. */
        FIELD,
        /** Combines two messages in a way that depends on their order. */
        ORDER,
        /** Keeps whichever message it gets. */
        ANY,
        /** Asks on which thread it is. */
        THREAD,
        /** Fails where a message comes from another peer. */
        THROWS
    }

    private final Fault fault;
    private LongState sum;
    private LongChannel told;
    private long seen;

    Faulty(Fault fault) {
        this.fault = fault;
    }

    @Override
    public void declare(Declaration graph) {
        sum = graph.longState("sum", 0);
        told = graph.longChannel("told", combiner());
    }

    private LongCombiner combiner() {
        return switch (fault) {
            case ANY -> LongCombiner.ANY;
            case ORDER -> new LeftMinusRight();
            default -> LongCombiner.SUM;
        };
    }

    @Override
    public void start(Vertex v) {
        tell(v, v.id());
    }

    @Override
    public void compute(Vertex v) {
        long heard = told.received(v) % 1_000_003;
        seen += heard;
        switch (fault) {
            case FIELD -> sum.set(v, seen == heard ? heard : sum.get(v) + heard);
            case THREAD -> sum.set(v, Thread.currentThread().getName().hashCode());
            default -> sum.set(v, sum.get(v) + heard);
        }
        if (fault == Fault.THROWS && !Thread.currentThread().getName().startsWith("worker-1-")) {
            throw new IllegalStateException("not at home");
        }
        if (v.superstep() < ROUNDS) {
            tell(v, heard);
        }
    }

    private void tell(Vertex v, long what) {
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            told.send(edge.target(), what + edge.target());
        }
    }

    private static final class LeftMinusRight implements LongCombiner {
        @Override
        public long combine(long left, long right) {
            return 31 * left + right;
        }

        @Override
        public long identity() {
            return 0;
        }
    }
}
