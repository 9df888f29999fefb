package org.starling.compute.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.inputs.ObjectServer;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.objects.ObjectAccount;
import org.starling.compute.objects.ObjectKeys;
import org.starling.compute.script.ScriptReport.Status;
import org.starling.graph.Argument;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Scripts that read objects and leave results as objects. */
final class ScriptObjectsTest {
    private static final String WRITE =
            "{\"task\": \"test.write\", \"as\": \"w\", \"file\": \"%s\"}";
    private static final String READ =
            "{\"task\": \"test.read\", \"as\": \"r\", \"files\": \"%s\"}";

    @TempDir Path folder;
    private ObjectServer server;
    private boolean fails;

    @BeforeEach
    void open() throws IOException {
        server = new ObjectServer(100);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void readsAgainWhatAnEarlierTaskHasWrittenAnew() {
        put("data/out/a.txt", "old ");
        put("data/out/b.txt", "b ");

        ScriptReport report =
                run(
                        READ.formatted("s3://data/out/*.txt"),
                        WRITE.formatted("s3://data/out/a.txt"),
                        READ.formatted("${w.file}").replace("\"r\"", "\"s\""),
                        READ.formatted("s3://data/out/").replace("\"r\"", "\"t\""));

        assertThat(report.status()).as("%s", report.failure()).isEqualTo(Status.SUCCEEDED);
        assertThat(result(report, 0)).isEqualTo("old b ");
        assertThat(report.tasks().get(1).result())
                .containsEntry("file", "s3://data/out/a.txt")
                .containsEntry("all", List.of(Map.of("where", "s3://data/out/a.txt")));
        assertThat(result(report, 2)).isEqualTo("new ");
        assertThat(result(report, 3)).isEqualTo("new b ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void sendsNothingOfATaskThatFails() {
        fails = true;

        ScriptReport report = run(WRITE.formatted("s3://data/out/a.txt"));

        assertThat(report.failure())
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("no luck with s3://data/out/a.txt");
        assertThat(server.objects).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void failsIfAResultCantBeSent() {
        ScriptReport report =
                run(WRITE.formatted("s3://data/out/a.txt") + "]}", "http://127.0.0.1:1");

        assertThat(report.failure())
                .hasMessageContaining("$.tasks[0] (test.write): s3://data/out/a.txt")
                .hasMessageContaining(
                        "http://127.0.0.1:1 refuses the connection; check AWS_ENDPOINT_URL");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void isRefusedWholeIfAPlaceIsNotAllowed() {
        assertThatThrownBy(() -> run(WRITE.formatted("s3://data/a.txt")))
                .isInstanceOf(InvalidScriptException.class)
                .hasMessageContaining("$.tasks[0].file")
                .hasMessageContaining("--allow-url s3+write://data");
        assertThatThrownBy(() -> run(WRITE.formatted("s3://data/read/a.txt")))
                .hasMessageContaining("may not write that object");
        assertThatThrownBy(() -> run(READ.formatted("s3://other/a.txt")))
                .hasMessageContaining("--allow-url s3://other");
        assertThatThrownBy(() -> run(WRITE.formatted("s3://data/out/")))
                .hasMessageContaining("names no single object to write");
        assertThatThrownBy(() -> run(READ.formatted("s3://data/out/../read/x")))
                .hasMessageContaining("with . or .. between slashes");
    }

    @Test
    void isRefusedIfABranchReadsWhatItsNeighbourWrites() {
        assertThatThrownBy(() ->
                        run(
                                "{\"parallel\": [[%s], [%s]]}"
                                        .formatted(
                                                WRITE.formatted("s3://data/out/a.txt"),
                                                READ.formatted("s3://data/out/a.txt"))))
                .isInstanceOf(InvalidScriptException.class)
                .hasMessageContaining("is written in one branch and used in another one");
    }

    private void put(String key, String text) {
        server.objects.put(key, text.getBytes(UTF_8));
    }

    private static @Nullable Object result(ScriptReport report, int task) {
        return report.tasks().get(task).result().get("text");
    }

    private ScriptReport run(String... tasks) {
        return run(String.join(", ", tasks) + "]}", server.address().toString());
    }

    private ScriptReport run(String rest, String endpoint) {
        ObjectAccount account =
                new ObjectAccount(
                        new ObjectKeys("id", "key", ""), "us-east-1", URI.create(endpoint));
        ScriptFiles files =
                new ScriptFiles(folder, List.of(folder))
                        .with(
                                new OtherInputs(
                                        null,
                                        new WebHosts(
                                                List.of("s3+write://data/out", "s3://data/read")),
                                        "--allow-url HOST",
                                        BroughtFiles.HERE,
                                        () -> account));
        TaskCatalog tasks =
                TaskCatalog.of(
                        new FakeTask(
                                TaskSignature.of("test.write", "Writes.")
                                        .with(
                                                Argument.required(
                                                        "file", Argument.Type.OUTPUT_FILE, "where"))
                                        .returns("file", "text", "where")
                                        .returns("all", "list", "where"),
                                this::write),
                        new FakeTask(
                                TaskSignature.of("test.read", "Reads.")
                                        .with(
                                                Argument.required(
                                                        "files", Argument.Type.INPUT_FILES, "what"))
                                        .returns("text", "text", "what is in them"),
                                ScriptObjectsTest::read));
        Script script = Script.parse("s.json", "{\"tasks\": [" + rest, files, Map.of(), tasks);
        return new ScriptRunner(
                        script,
                        () -> {
                            throw new IllegalStateException("these tasks have no graphs");
                        },
                        ScriptListener.SILENT)
                .run();
    }

    private TaskResult write(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.outputFile(arguments.text("file"));
        Files.writeString(file, "new ");
        if (fails) {
            throw new JobFailedException("no luck with " + file);
        }
        return new TaskResult()
                .put("file", file.toString())
                .put("all", List.of(Map.of("where", file.toString())));
    }

    private static TaskResult read(TaskContext context, Parameters arguments) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : arguments.texts("files")) {
            for (Path file : context.inputFiles(name)) {
                text.append(Files.readString(file));
            }
        }
        return new TaskResult().put("text", text.toString());
    }
}
