package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.script.TaskCatalog;

/** Runs every script of the guide on an embedded cluster. */
final class ScriptGuideTest {
    private static final Pattern BLOCK =
            Pattern.compile("```json ?(\\S*)\\n(.*?)\\n```", Pattern.DOTALL);
    private static final int FEWEST = 7;

    @TempDir Path folder;

    @Test
    @Timeout(120)
    void runsEveryScriptOfTheGuide() throws IOException {
        String page = Files.readString(Checkout.root().resolve("docs/guide/scripts.md"));
        List<MatchResult> blocks = BLOCK.matcher(page).results().toList();
        for (MatchResult file : blocks) {
            if (!file.group(1).isEmpty()) {
                Path path = folder.resolve(file.group(1));
                Files.createDirectories(Objects.requireNonNull(path.getParent()));
                Files.writeString(path, file.group(2));
            }
        }
        List<String> scripts =
                blocks.stream()
                        .filter(block -> block.group(1).isEmpty())
                        .map(block -> block.group(2))
                        .toList();

        assertThat(scripts).hasSizeGreaterThanOrEqualTo(FEWEST);
        for (String script : scripts) {
            Files.writeString(folder.resolve("s.json"), script);
            Screen screen = new Screen();
            ExitCode code =
                    Commands.all()
                            .run(
                                    new String[] {"run", "s.json", "--peers", "2"},
                                    screen.terminal(folder),
                                    new Interruption());
            assertThat(code).as(script + "\n" + screen.err()).isEqualTo(ExitCode.DONE);
        }
        assertThat(folder.resolve("ranks-8.txt")).exists();
        assertThat(folder.resolve("lib/again.txt")).exists();
    }

    @Test
    void namesEveryConstruct() throws IOException {
        String page = Files.readString(Checkout.root().resolve("docs/guide/scripts.md"));

        for (String word :
                List.of(
                        "if",
                        "repeat",
                        "while",
                        "forEach",
                        "parallel",
                        "include",
                        "onFailure",
                        "timeLimit",
                        "atMost",
                        "as",
                        "parameters")) {
            assertThat(page).contains("\"" + word + "\"");
        }
        assertThat(TaskCatalog.onClassPath().names()).contains("graph.pagerank");
    }
}
