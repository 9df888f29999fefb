package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.Argument;
import org.starling.graph.Declaration;
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

    /**
     * Programs that can go on in the middle, and whose run that is; censuses and checks are none.
     */
    private static final Map<String, String> GO_ON =
            Map.ofEntries(
                    Map.entry("algorithms.bfs", "graph.bfs"),
                    Map.entry("algorithms.components", "graph.wcc"),
                    Map.entry("algorithms.kcore", "graph.kcore"),
                    Map.entry("algorithms.labels", "graph.cdlp"),
                    Map.entry("algorithms.labels.census", ""),
                    Map.entry("algorithms.maximumclique.check", ""),
                    Map.entry("algorithms.pagerank", "graph.pagerank"),
                    Map.entry("algorithms.scc.colour", "graph.scc"),
                    Map.entry("algorithms.scc.flood", "graph.scc"),
                    Map.entry("algorithms.scc.order", ""),
                    Map.entry("algorithms.scc.trim", "graph.scc"),
                    Map.entry("algorithms.sssp", "graph.sssp"));

    @Test
    void namesTheTasksWhoseRunsGoOnInTheMiddle() throws IOException, ReflectiveOperationException {
        Set<String> resumable = new TreeSet<>();
        JavaClasses classes =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(Layers.ROOT);
        for (JavaMethodCall call :
                classes.get(Declaration.class).getMethod("resumable").getCallsOfSelf()) {
            Field name = call.getOriginOwner().reflect().getDeclaredField("NAME");
            name.setAccessible(true);
            resumable.add((String) name.get(null));
        }
        assertThat(resumable).isEqualTo(GO_ON.keySet());

        String page = TaskPage.markdown(shipped());
        String sentence = page.substring(page.indexOf("Supersteps of"), page.indexOf("go on from"));
        Set<String> named =
                Pattern.compile("graph\\.\\w+")
                        .matcher(sentence)
                        .results()
                        .map(MatchResult::group)
                        .collect(Collectors.toSet());
        Set<String> tasks = new TreeSet<>(GO_ON.values());
        tasks.remove("");
        assertThat(named).isEqualTo(tasks);
        assertThat(shipped()).extracting(TaskSignature::name).containsAll(tasks);
    }

    private static Collection<TaskSignature> shipped() {
        return TaskCatalog.onClassPath().signatures().stream()
                .filter(task -> !task.name().startsWith("test."))
                .toList();
    }
}
