package org.starling.compute;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** Programs that tests write where they need them, named to clusters of this process. */
public final class TestPrograms {
    /** Name of the provider. */
    public static final String NAME = "test.program";

    private static final Map<String, Supplier<Program>> KNOWN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    private TestPrograms() {}

    /** Parameters that lead the provider to this program. */
    public static Parameters named(Supplier<Program> program) {
        String key = "program-" + NUMBERS.incrementAndGet();
        KNOWN.put(key, program);
        return Parameters.of("key", key);
    }

    /** Makes instances of what tests have named. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(
                    NAME,
                    parameters -> Objects.requireNonNull(KNOWN.get(parameters.text("key"))).get());
        }
    }
}
