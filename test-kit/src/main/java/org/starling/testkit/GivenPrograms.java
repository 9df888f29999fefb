package org.starling.testkit;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** Programs that tests give as they are, without a provider and its service file. */
final class GivenPrograms {
    static final String NAME = "testkit.program";
    private static final Register<Supplier<? extends Program>> PROGRAMS = new Register<>();

    private GivenPrograms() {}

    /** Parameters that lead to this program. */
    static Parameters named(Supplier<? extends Program> program) {
        return PROGRAMS.named(program);
    }

    /** Forgets what these parameters lead to. */
    static void forget(Parameters parameters) {
        PROGRAMS.forget(parameters);
    }

    /** Finds programs of this process. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(
                    NAME, parameters -> Objects.requireNonNull(PROGRAMS.find(parameters)).get());
        }
    }
}
