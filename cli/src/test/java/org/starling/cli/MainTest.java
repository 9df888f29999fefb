package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JavaCommand;
import org.starling.compute.script.JsonText;

/** Commands as processes of their own: what the shell and other programs get to see. */
final class MainTest {
    private static final int SIGTERM_PATIENCE_SECONDS = 30;
    private static final int HANG_SECONDS = 50;

    @TempDir Path folder;

    @Test
    void printsOneObjectOnStandardOutputAndAllElseOnStandardError() throws Exception {
        ProcessRun run =
                starling(
                        "generate",
                        "kronecker",
                        "--scale",
                        "4",
                        "--seeds",
                        "2,0x3",
                        "--hash",
                        "--json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).hasLineCount(1);
        assertThat(JsonText.parse(run.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsOnlyKeys("edges", "sumSource", "sumTarget", "edgeHash", "weightHash")
                // Graph500's reference generator, scale 4
                .containsEntry("edges", 256L)
                .containsEntry("sumSource", "3015")
                .containsEntry("sumTarget", "1891")
                .containsEntry("edgeHash", "0x3ba41961b56d363a")
                .containsEntry("weightHash", "0x0d0ff728c2999ba8");
        assertThat(run.err()).contains("generate.kronecker");
    }

    @Test
    void writesAFileWhereTheUserSays() throws Exception {
        Path file = folder.resolve("edges.tsv");

        ProcessRun run =
                starling("generate", "kronecker", "--scale", "4", "--file", file.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(file)).startsWith("15\t3\n").hasLineCount(256);
    }

    @Test
    void tellsTheShellWhatWentWrong() throws Exception {
        Files.writeString(folder.resolve("bad.json"), "{\"tasks\": [{\"task\": \"graph.lod\"}]}");

        ProcessRun noCommand = starling("teleport");
        ProcessRun noScript = starling("run", "missing.json");
        ProcessRun badScript = starling("run", "bad.json");

        assertThat(noCommand.exitCode()).isEqualTo(2);
        assertThat(noCommand.err())
                .isEqualTo("starling: unknown command \"teleport\"; the nearest is \"report\"\n");
        assertThat(noScript.exitCode()).isEqualTo(3);
        assertThat(noScript.err()).contains("starling: there is no script ");
        assertThat(badScript.exitCode()).isEqualTo(3);
        assertThat(badScript.err()).contains("did you mean \"graph.load\"?");
        assertThat(List.of(noCommand.out(), noScript.out(), badScript.out())).containsOnly("");
    }

    @Test
    void fliesTheFirstFlight() throws Exception {
        copyExamples();

        ProcessRun run =
                starlingIn(
                        elsewhere(),
                        "run",
                        "../scripts/first-flight.json",
                        "-P",
                        "scale=8",
                        "--peers",
                        "2",
                        "--json");

        assertThat(run.err()).contains("[15/15] graph.write");
        assertThat(run.exitCode()).isZero();
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(run.out()));
        assertThat(report.get("status")).isEqualTo("succeeded");
        assertThat(result(report, "clubSearch"))
                .containsEntry("levels", List.of(1L, 16L, 9L, 8L))
                .containsEntry("verified", true);
        assertThat(result(report, "clubComponents"))
                .containsEntry("components", 1L)
                .containsEntry("largest", 34L);
        assertThat(result(report, "clubCores"))
                .containsEntry("maxCore", 4L)
                .containsEntry("inMaxCore", 10L);
        assertThat(result(report, "clubTriangles")).containsEntry("triangles", 45L);
        assertThat(result(report, "clubCliques"))
                .containsEntry("maximalCliques", 36L)
                .containsEntry("sizeHistogram", Map.of("2", 11L, "3", 21L, "4", 2L, "5", 2L));
        assertThat(result(report, "sky")).containsEntry("vertices", 256L);
        assertThat(Files.readAllLines(folder.resolve("scripts/first-flight-levels.txt")))
                .hasSize(256);
    }

    @Tag("thorough")
    @Test
    void showsTheFriendshipParadoxForPeople() throws Exception {
        copyExamples();

        ProcessRun run = starlingIn(elsewhere(), "run", "../scripts/friendship-paradox.json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("friendship paradox: succeeded in ")
                .contains("example.friendship (paradox)")
                .containsPattern("holds +true");
    }

    @Test
    void stopsItsPeersWhenItIsInterrupted() throws Exception {
        Path script = folder.resolve("long.json");
        Files.writeString(
                script,
                """
                {"tasks": [
                  {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 12},
                  {"repeat": 10000, "tasks": [
                    {"task": "graph.pagerank", "graph": "g", "iterations": 10000}]}]}
                """);
        Path report = folder.resolve("report.json");
        Process process =
                new ProcessBuilder(
                                command(
                                        "run",
                                        "long.json",
                                        "--peers",
                                        "2",
                                        "--processes",
                                        "--verbose",
                                        "--json"))
                        .directory(folder.toFile())
                        .redirectOutput(report.toFile())
                        .start();
        killWhenItHangs(process);
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            // not assertThat(err.lines()), which would read to the end first
            assertThat(err.lines().anyMatch(line -> line.contains("superstep"))).isTrue();
            List<ProcessHandle> peers = process.children().toList();
            assertThat(peers).hasSize(2);

            assertThat(process.toHandle().destroy()).isTrue();

            assertThat(process.waitFor(SIGTERM_PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(5);
            assertThat(JsonText.parse(Files.readString(report)))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("status", "cancelled")
                    .containsEntry("processes", true);
            for (ProcessHandle peer : peers) {
                peer.onExit().get(SIGTERM_PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void endsWithTheCodeOfACancelledJobWhenItIsInterrupted() throws Exception {
        Process process =
                new ProcessBuilder(command("generate", "kronecker", "--scale", "38", "--hash"))
                        .directory(folder.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        killWhenItHangs(process);
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            assertThat(err.readLine()).isEqualTo("[1/1] generate.kronecker");

            // unlike Process.destroy, this leaves the streams open
            assertThat(process.toHandle().destroy()).isTrue();

            assertThat(process.waitFor(SIGTERM_PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(5);
            assertThat(err.lines()).last().isEqualTo("starling: the job was cancelled");
        } finally {
            process.destroyForcibly();
        }
    }

    /** A read from a pipe can't be interrupted, but it ends with the process. */
    private static void killWhenItHangs(Process process) {
        CompletableFuture.delayedExecutor(HANG_SECONDS, TimeUnit.SECONDS)
                .execute(process::destroyForcibly);
    }

    /** The bundled scripts and graphs, where they may write. */
    private void copyExamples() throws IOException {
        Path examples = Checkout.root().resolve("examples");
        for (String name :
                List.of(
                        "scripts/first-flight.json",
                        "scripts/friendship-paradox.json",
                        "scripts/karate.graph")) {
            Path copy = folder.resolve(name);
            Files.createDirectories(copy.getParent());
            Files.copy(examples.resolve(name), copy);
        }
    }

    private static Map<String, Object> result(Map<?, ?> report, String as) {
        for (Object task : (List<?>) Objects.requireNonNull(report.get("tasks"))) {
            Map<?, ?> entry = (Map<?, ?>) task;
            if (as.equals(entry.get("as"))) {
                Map<String, Object> result = new HashMap<>();
                ((Map<?, ?>) Objects.requireNonNull(entry.get("result")))
                        .forEach((name, value) -> result.put(name.toString(), value));
                return result;
            }
        }
        throw new AssertionError("no result " + as + " in " + report);
    }

    /** A folder beside the scripts' that has nothing to do with them. */
    private Path elsewhere() throws IOException {
        return Files.createDirectories(folder.resolve("elsewhere"));
    }

    private ProcessRun starling(String... words) throws Exception {
        return starlingIn(folder, words);
    }

    private static ProcessRun starlingIn(Path workingDirectory, String... words) throws Exception {
        return ProcessRun.of(command(words), workingDirectory, Map.of());
    }

    private static List<String> command(String... words) {
        return JavaCommand.of(Main.class, List.of(), List.of(words));
    }
}
