package org.starling.compute;

import java.util.Map;
import org.starling.graph.Declaration;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Every vertex talks to its neighbours for ever. */
public final class Endless implements VertexProgram {
    /** Name of the provider. */
    public static final String NAME = "test.endless";

    private IntChannel talk;

    @Override
    public void declare(Declaration graph) {
        talk = graph.intChannel("talk", IntCombiner.MAX);
        graph.intState("unfinished", 1);
    }

    @Override
    public void start(Vertex v) {
        talk.broadcast(v, 1);
    }

    @Override
    public void compute(Vertex v) {
        talk.broadcast(v, 1);
    }

    /** Makes instances. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(NAME, parameters -> new Endless());
        }
    }
}
