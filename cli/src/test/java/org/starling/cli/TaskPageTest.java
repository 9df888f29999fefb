package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.Argument;
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

    /** Those that come with Starling, and not with its tests. */
    static Collection<TaskSignature> shipped() {
        return TaskCatalog.onClassPath().signatures().stream()
                .filter(task -> !task.name().startsWith("test."))
                .toList();
    }
}
