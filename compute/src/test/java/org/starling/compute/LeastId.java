package org.starling.compute;

import java.util.Map;
import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Every vertex learns the least id of its component; for peers in processes of their own. */
public final class LeastId implements VertexProgram {
    /** Name of the provider. */
    public static final String NAME = "test.leastId";

    private LongState least;
    private LongChannel offers;
    private LongAggregator changes;

    @Override
    public void declare(Declaration graph) {
        least = graph.longState("least", Long.MAX_VALUE);
        offers = graph.longChannel("offers", LongCombiner.MIN);
        changes = graph.longAggregator("changes", LongCombiner.SUM);
    }

    @Override
    public void start(Vertex v) {
        improve(v, v.id());
    }

    @Override
    public void compute(Vertex v) {
        long offered = offers.received(v);
        if (offered < least.get(v)) {
            improve(v, offered);
        }
    }

    private void improve(Vertex v, long value) {
        least.set(v, value);
        changes.add(1);
        offers.broadcast(v, value);
    }

    /** Makes instances. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(NAME, parameters -> new LeastId());
        }
    }
}
