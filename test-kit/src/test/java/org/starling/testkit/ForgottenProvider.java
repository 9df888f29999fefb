package org.starling.testkit;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** No service file names it. */
public final class ForgottenProvider implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of("test.forgotten", parameters -> new Hops(1));
    }
}
