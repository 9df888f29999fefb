package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows a guide word by word, in one shell: what stands behind {@code $ } is a command, and the
 * lines below it are among what it says, with {@code …} for anything. A block of code with a name
 * ({@code ```json load.json}) is a file, made where it stands. A row of a table whose first cell is
 * a command is one that is refused, with the sentence in the second cell and the exit code of one
 * who used it in a wrong way.
 *
 * <p>The shell finds this checkout's launcher, which starts clusters on ports that are free.
 */
final class GuideRun {
    private static final Pattern FENCE = Pattern.compile("```(\\S*) ?(\\S*)");
    private static final Pattern ROW = Pattern.compile("\\| `(starling [^`]*)` \\| `([^`]*)` \\|");
    private static final String ANYTHING = "…";

    /** Behind a command: whoever used it is told what was wrong about that. */
    private static final String REFUSED =
            " && exit 99 || case $? in %d|%d|%d) ;; *) exit 98;; esac\n"
                    .formatted(
                            ExitCode.WRONG_USAGE.number(),
                            ExitCode.BAD_INPUT.number(),
                            ExitCode.NO_CLUSTER.number());

    private static final String PLACE = "/path/to/starling";

    private final Path folder;
    private final Path tools;
    private final Path outputs;
    private final List<Step> steps;

    /** A file to make, or a command with what it is to say. */
    private record Step(String file, String text, List<String> said, boolean refused) {}

    /**
     * A run of a page.
     *
     * @param page in {@code docs/guide}
     * @param folder an empty one
     */
    GuideRun(String page, Path folder) throws IOException {
        this.folder = folder;
        steps = parse(Files.readAllLines(Checkout.root().resolve("docs/guide").resolve(page)));
        tools = Files.createDirectory(folder.resolve("tools"));
        outputs = Files.createDirectory(folder.resolve("outputs"));
        int port = FreePorts.base();
        Path settings =
                Files.writeString(
                        folder.resolve("ports.json"),
                        "{\"basePort\": %d, \"restPort\": %d}".formatted(port, port + 90));
        launcher(
                "[[ \"$1 $2\" != 'cluster start' ]] || set -- \"$@\" --config '%s'"
                        .formatted(settings));
    }

    /** All commands, in their order. */
    List<String> commands() {
        return steps.stream().filter(step -> step.file.isEmpty()).map(Step::text).toList();
    }

    /** Where commands begin. */
    Path work() {
        return folder.resolve("work");
    }

    /** Changes what the launcher is called with: lines of the shell before it. */
    void launcher(String lines) throws IOException {
        Path starling = tools.resolve("starling");
        String earlier =
                Files.exists(starling)
                        ? Files.readString(starling).replaceAll("(?s)\nexec .*", "")
                        : "#!/usr/bin/env bash";
        Files.deleteIfExists(starling);
        tool(
                "starling",
                "%s\n%s\nexec '%s' \"$@\""
                        .formatted(earlier, lines, Checkout.root().resolve("starling")));
    }

    /** Puts a program before all others of its name. */
    void tool(String name, String text) throws IOException {
        String shebang = text.startsWith("#!") ? "" : "#!/usr/bin/env bash\n";
        Path file = Files.writeString(tools.resolve(name), shebang + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Does all of it. A cluster that is left at its end is stopped. */
    void follow(long minutes) throws IOException, InterruptedException {
        Files.createDirectory(work());
        Path said = folder.resolve("said");
        Process shell =
                new ProcessBuilder("bash", "-c", script())
                        .directory(work().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(shell.waitFor(minutes, TimeUnit.MINUTES)).as("the guide's end").isTrue();
        } finally {
            shell.destroyForcibly();
            stopClusters();
        }
        assertThat(shell.exitValue()).as("%s\n%s", Files.readString(said), last()).isZero();
        for (int i = 0; i < steps.size(); i++) {
            for (String line : steps.get(i).said) {
                String pattern = ".*\\Q" + line.strip().replace(ANYTHING, "\\E.*\\Q") + "\\E.*";
                assertThat(output(i).lines())
                        .as("what \"%s\" says: %s", steps.get(i).text, output(i))
                        .anyMatch(found -> found.matches(pattern));
            }
        }
    }

    private String script() {
        StringBuilder script = new StringBuilder("set -e\n");
        script.append("export STARLING_NO_BUILD=1 PATH='%s':\"$PATH\"\n".formatted(tools));
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (!step.file.isEmpty()) {
                script.append(
                        "cat > '%s' <<'END_OF_FILE'\n%s\nEND_OF_FILE\n"
                                .formatted(step.file, step.text));
                continue;
            }
            script.append("echo 'step %d' >&2\n".formatted(i));
            String run = "{ %s\n} >'%s' 2>&1".formatted(step.text, outputs.resolve("" + i));
            script.append(run + (step.refused ? REFUSED : "\n"));
        }
        return script.toString();
    }

    private String output(int step) throws IOException {
        Path file = outputs.resolve("" + step);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** What the last command that was run is, and has said. */
    private String last() throws IOException {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (Files.exists(outputs.resolve("" + i))) {
                return "$ %s\n%s".formatted(steps.get(i).text, output(i));
            }
        }
        return "";
    }

    private void stopClusters() throws IOException, InterruptedException {
        List<Path> left;
        try (var all = Files.walk(work())) {
            left = all.filter(file -> file.endsWith(Path.of(".starling", "cluster"))).toList();
        }
        for (Path cluster : left) {
            new ProcessBuilder(
                            Checkout.root().resolve("starling").toString(),
                            "cluster",
                            "stop",
                            "--data",
                            cluster.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(1, TimeUnit.MINUTES);
        }
    }

    private static List<Step> parse(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        String file = "";
        List<String> block = null;
        for (String line : lines) {
            Matcher fence = FENCE.matcher(line);
            Matcher row = ROW.matcher(line);
            if (fence.matches()) {
                if (block == null) {
                    file = fence.group(2);
                    block = new ArrayList<>();
                } else {
                    addBlock(steps, file, block);
                    block = null;
                }
            } else if (block != null) {
                block.add(line);
            } else if (row.matches()) {
                steps.add(new Step("", row.group(1), List.of(row.group(2)), true));
            }
        }
        return List.copyOf(steps);
    }

    private static void addBlock(List<Step> steps, String file, List<String> block) {
        if (!file.isEmpty()) {
            steps.add(new Step(file, String.join("\n", block), List.of(), false));
            return;
        }
        for (int i = 0; i < block.size(); i++) {
            if (block.get(i).startsWith("$ ")) {
                int end = i + 1;
                while (end < block.size() && !block.get(end).startsWith("$ ")) {
                    end++;
                }
                String command =
                        block.get(i).substring(2).replace(PLACE, Checkout.root().toString());
                List<String> said =
                        block.subList(i + 1, end).stream()
                                .filter(line -> !line.strip().equals(ANYTHING))
                                .filter(line -> !line.isBlank())
                                .toList();
                steps.add(new Step("", command, said, false));
            }
        }
    }
}
