package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.Argument;
import org.starling.graph.Program;
import org.starling.graph.TaskSignature;

final class TaskPageTest {
    @Test
    void isWhatTheDocumentationSays() throws IOException {
        Path page = Checkout.root().resolve("docs/TASKS.md");

        assertThat(Files.readString(page))
                .as("make it anew: ./starling tasks --markdown > docs/TASKS.md")
                .isEqualTo(TaskPage.markdown(shipped()));
    }

    @Test
    void namesEveryArgumentAndResult() {
        TaskSignature task =
                TaskSignature.of("a.b", "Does it.")
                        .with(Argument.required("in", Argument.Type.INPUT_FILE, "the | file"))
                        .with(Argument.choice("how", "which way", "fast", "slow"))
                        .with(Argument.optional("x", Argument.Type.NUMBER, "a number", 0.5))
                        .with(Argument.optional("y", Argument.Type.TEXT, "a text"))
                        .returns("z", "integer", "the count");

        assertThat(TaskPage.markdown(List.of(task)))
                .endsWith(
                        """

                        ## a.b

                        Does it.

                        | argument | type | default | meaning |
                        |---|---|---|---|
                        | `in` | file to read | *required* | the \\| file |
                        | `how` | `fast`, `slow` | `"fast"` | which way |
                        | `x` | number | `0.5` | a number |
                        | `y` | text |  | a text |

                        | result | type | meaning |
                        |---|---|---|
                        | `z` | integer | the count |
                        """);
    }

    /** Programs that can't go on in the middle, and whose run that is; some are no task's. */
    private static final Map<String, String> BEGIN_ANEW =
            Map.of(
                    "algorithms.maximumclique", "graph.maximumClique",
                    "benchmarks.search", "",
                    "graph500.construction", "");

    @Test
    void namesTheTasksWhoseRunsBeginAnew() throws ReflectiveOperationException {
        Set<String> anew = new TreeSet<>();
        for (JavaClass program : programs()) {
            if (program.tryGetMethod("resumes").isPresent()) {
                Field name = program.reflect().getDeclaredField("NAME");
                name.setAccessible(true);
                anew.add((String) name.get(null));
            }
        }
        assertThat(anew).isEqualTo(BEGIN_ANEW.keySet());

        String page = TaskPage.markdown(shipped());
        String sentence =
                page.substring(page.indexOf("Only the search of"), page.indexOf("begin anew"));
        Set<String> tasks = new TreeSet<>(BEGIN_ANEW.values());
        tasks.remove("");
        assertThat(tasks).allSatisfy(task -> assertThat(sentence).contains("`" + task + "`"));
        assertThat(shipped()).extracting(TaskSignature::name).containsAll(tasks);
    }

    private static Set<JavaClass> programs() {
        return MainClasses.ALL.get(Program.class).getAllSubclasses();
    }

    private static Collection<TaskSignature> shipped() {
        return TaskCatalog.onClassPath().signatures().stream()
                .filter(task -> !task.name().startsWith("test."))
                .toList();
    }
}
