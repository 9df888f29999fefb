package org.starling.compute;

import java.util.Map;
import org.starling.graph.Declaration;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Every vertex sends the number of the superstep that will receive it directly to eight others, and
 * fails unless it has received just that from eight.
 */
public final class Correspondence implements VertexProgram {
    /** Name of the provider. */
    public static final String NAME = "test.correspondence";

    private static final int FRIENDS = 8;

    private final long vertices;
    private final long supersteps;
    private LongChannel letters;

    private Correspondence(long vertices, long supersteps) {
        this.vertices = vertices;
        this.supersteps = supersteps;
    }

    /** What the provider is to be told. */
    static Parameters parameters(long vertices, long supersteps) {
        return Parameters.of("vertices", vertices).with("supersteps", supersteps);
    }

    @Override
    public void declare(Declaration graph) {
        letters = graph.longChannel("letters", LongCombiner.SUM);
    }

    @Override
    public void start(Vertex v) {
        write(v);
    }

    @Override
    public void compute(Vertex v) {
        long received = letters.received(v);
        if (received != (long) FRIENDS * v.superstep()) {
            throw new IllegalStateException(
                    "received " + received + " in superstep " + v.superstep());
        }
        if (v.superstep() < supersteps) {
            write(v);
        }
    }

    private void write(Vertex v) {
        for (int friend = 1; friend <= FRIENDS; friend++) {
            long target = (v.ordinal() + friend * vertices / (FRIENDS + 1)) % vertices;
            letters.send(target, v.superstep() + 1L);
        }
    }

    /** Makes instances. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(
                    NAME,
                    parameters ->
                            new Correspondence(
                                    parameters.integer("vertices"),
                                    parameters.integer("supersteps")));
        }
    }
}
