package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.cli.fixture.ReachesIntoCompute;
import org.starling.compute.fixture.Engine;
import org.starling.compute.fixture.internal.Hidden;
import org.starling.fixture.Homeless;
import org.starling.graph.Program;
import org.starling.graph.TaskSignature;
import org.starling.net.fixture.KnowsTheEngine;
import org.starling.store.fixture.Careless;

/**
 * Holds the rules of {@link Layers} against the main classes of every room, and shows of each rule
 * that a violation turns it red. To read all main classes takes seconds, so what else is looked for
 * in them is here, too.
 */
final class LayersTest {

    private static final JavaClasses VIOLATIONS =
            new ClassFileImporter()
                    .importClasses(
                            KnowsTheEngine.class,
                            Engine.class,
                            Hidden.class,
                            ReachesIntoCompute.class,
                            Careless.class,
                            Homeless.class);

    /** Programs that can't go on in the middle, and whose run that is; some are no task's. */
    private static final Map<String, String> BEGIN_ANEW =
            Map.of(
                    "algorithms.maximumclique", "graph.maximumClique",
                    "benchmarks.search", "",
                    "graph500.construction", "");

    @ParameterizedTest
    @MethodSource("org.starling.cli.Layers#rules")
    void mainClassesKeep(ArchRule rule) {
        rule.check(MainClasses.ALL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "net",
                "store",
                "graph",
                "compute",
                "loaders",
                "algorithms",
                "tasks",
                "testkit",
                "cli",
                "dashboard",
                "benchmarks",
                "examples"
            })
    void looksAtTheClassesOf(String room) {
        assertThat(MainClasses.ALL)
                .anyMatch(type -> type.getPackageName().startsWith(Layers.ROOT + "." + room));
    }

    @Test
    void leavesTestClassesAlone() {
        assertThat(MainClasses.ALL).noneMatch(type -> type.isEquivalentTo(LayersTest.class));
    }

    @Test
    void findsAnArrowThatRunsUp() {
        assertViolated(Layers.arrowRule("net"), "KnowsTheEngine");
    }

    @Test
    void findsAClassWithoutARoom() {
        assertViolated(Layers.everyClassHasARoom(), "Homeless");
    }

    @Test
    void findsACycle() {
        assertViolated(Layers.noCyclesBetweenRooms(), "Slice net");
    }

    @Test
    void findsAUseOfAnotherRoomsInternals() {
        assertViolated(Layers.internalsStayInTheirRoom(), "ReachesIntoCompute");
    }

    @Test
    void allowsARoomItsOwnInternals() {
        assertThat(Layers.internalsStayInTheirRoom().evaluate(VIOLATIONS).getFailureReport())
                .asString()
                .doesNotContain("Engine");
    }

    @Test
    void findsPrinting() {
        assertViolated(Layers.onlyCommandsPrint(), "Careless.prints");
    }

    @Test
    void findsSleepingAlsoByMethodReference() {
        assertViolated(Layers.noThreadSleeps(), "Careless.sleeps");
        assertViolated(Layers.noThreadSleeps(), "Careless.handsOutSleep");
    }

    @Test
    void findsTheWallClockAlsoByMethodReference() {
        assertViolated(Layers.noWallClock(), "Careless.readsWallClock");
        assertViolated(Layers.noWallClock(), "Careless.handsOutWallClock");
    }

    @Test
    void findsJavaSerialization() {
        assertViolated(Layers.noJavaSerialization(), "Careless.deserializes");
    }

    @Test
    void namesTheTasksWhoseRunsBeginAnew() throws ReflectiveOperationException {
        Set<String> anew = new TreeSet<>();
        for (JavaClass program : MainClasses.ALL.get(Program.class).getAllSubclasses()) {
            if (program.tryGetMethod("resumes").isPresent()) {
                Field name = program.reflect().getDeclaredField("NAME");
                name.setAccessible(true);
                anew.add((String) name.get(null));
            }
        }
        assertThat(anew).isEqualTo(BEGIN_ANEW.keySet());

        String page = TaskPage.markdown(TaskPageTest.shipped());
        String sentence =
                page.substring(page.indexOf("Only the search of"), page.indexOf("begin anew"));
        Set<String> tasks = new TreeSet<>(BEGIN_ANEW.values());
        tasks.remove("");
        assertThat(tasks).allSatisfy(task -> assertThat(sentence).contains("`" + task + "`"));
        assertThat(TaskPageTest.shipped()).extracting(TaskSignature::name).containsAll(tasks);
    }

    private static void assertViolated(ArchRule rule, String culprit) {
        assertThat(rule.evaluate(VIOLATIONS).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains(culprit));
    }
}
