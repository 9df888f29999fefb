package org.starling.testkit;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** Gives a program by name. */
public final class HopsProvider implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of("test.hops", parameters -> new Hops(parameters.integer("source")));
    }
}
