package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.script.JsonText;

/** Commands as processes of their own: what the shell and other programs get to see. */
final class MainTest {
    private static final int SIGTERM_PATIENCE_SECONDS = 30;

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

        ProcessRun noCommand = starling("fly");
        ProcessRun noScript = starling("run", "missing.json");
        ProcessRun badScript = starling("run", "bad.json");

        assertThat(noCommand.exitCode()).isEqualTo(2);
        assertThat(noCommand.err())
                .isEqualTo(
                        "starling: unknown command \"fly\"; valid: config, generate, graph500, run, tasks\n");
        assertThat(noScript.exitCode()).isEqualTo(3);
        assertThat(noScript.err()).contains("starling: there is no script ");
        assertThat(badScript.exitCode()).isEqualTo(3);
        assertThat(badScript.err()).contains("did you mean \"graph.load\"?");
        assertThat(List.of(noCommand.out(), noScript.out(), badScript.out())).containsOnly("");
    }

    @Test
    void endsWithTheCodeOfACancelledJobWhenItIsInterrupted() throws Exception {
        Process process =
                new ProcessBuilder(command("generate", "kronecker", "--scale", "38", "--hash"))
                        .directory(folder.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
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

    private ProcessRun starling(String... words) throws Exception {
        return ProcessRun.of(command(words), folder, Map.of());
    }

    private static List<String> command(String... words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "org.starling.cli.Main"));
        command.addAll(List.of(words));
        return command;
    }
}
