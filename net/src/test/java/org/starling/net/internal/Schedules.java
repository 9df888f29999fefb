package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.starling.net.NativeMemory;

/**
 * How many interleavings Lincheck looks at, and what it takes for one step. Lincheck's failures are
 * assertion errors.
 */
final class Schedules {

    private Schedules() {}

    static void assertHolds(ModelCheckingOptions schedules, Class<?> scenario) {
        assertThatCode(() -> schedules.check(scenario)).doesNotThrowAnyException();
    }

    static void assertBugIsFound(ModelCheckingOptions schedules, Class<?> twin) {
        assertThatThrownBy(() -> schedules.check(twin)).isInstanceOf(AssertionError.class);
    }

    /**
     * Explores interleavings one by one, so that the result depends neither on cores nor on load.
     * Native memory is no memory to Lincheck unless it is told: without that no thread could come
     * between a frame and its mark. What pools of threads and logs do inside is not looked at.
     */
    static ModelCheckingOptions model() {
        return new ModelCheckingOptions()
                .addGuarantee(forClasses(NativeMemory.class.getName()).allMethods().treatAsAtomic())
                .addGuarantee(forClasses(Workers.class.getName()).allMethods().treatAsAtomic())
                .addGuarantee(
                        forClasses(name -> name.startsWith("org.apache.logging."))
                                .allMethods()
                                .ignore())
                .iterations(2)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** For scenarios in which few of the operations drawn meet. */
    static ModelCheckingOptions wide() {
        return model().iterations(4).invocationsPerIteration(80);
    }

    /** For nodes as a whole, whose steps are slow. */
    static ModelCheckingOptions steps(int scenarios) {
        return model().iterations(scenarios).invocationsPerIteration(30).actorsBefore(0);
    }

    /**
     * One scenario in many interleavings, for a bug that few of the scenarios drawn would show.
     *
     * @param threads what each thread does, by the names of operations
     */
    static ModelCheckingOptions only(Class<?> scenario, List<List<String>> threads) {
        return only(scenario, List.of(), threads);
    }

    /** The same after what one thread does before: where the search has found the bug of a twin. */
    static ModelCheckingOptions only(
            Class<?> scenario, List<String> before, List<List<String>> threads) {
        List<List<Actor>> actors = threads.stream().map(names -> actors(scenario, names)).toList();
        return model().iterations(0)
                .invocationsPerIteration(2_000)
                .addCustomScenario(
                        new ExecutionScenario(actors(scenario, before), actors, List.of(), null));
    }

    private static List<Actor> actors(Class<?> scenario, List<String> names) {
        return names.stream().map(name -> actor(scenario, name)).toList();
    }

    private static Actor actor(Class<?> scenario, String operation) {
        try {
            return new Actor(scenario.getMethod(operation), List.of());
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(scenario + " has no operation " + operation, e);
        }
    }

    /** For bugs that few of the interleavings show; ends with the first that does. */
    static ModelCheckingOptions thorough() {
        return model().iterations(60).invocationsPerIteration(400);
    }
}
