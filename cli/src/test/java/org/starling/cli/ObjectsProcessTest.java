package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JavaCommand;

/** Commands that read and write objects, with keys that stand in their environment alone. */
@Timeout(180)
final class ObjectsProcessTest {
    private static final String SCRIPT =
            """
            {"name": "objects", "tasks": [
              {"task": "graph.load", "graph": "g", "edges": "s3://graphs/in/part-*.csv"},
              {"task": "graph.wcc", "graph": "g"},
              {"task": "graph.write", "graph": "g", "columns": ["component"], "file": "s3://graphs/out/components.csv"},
              {"task": "graph.write", "graph": "g", "columns": ["component"], "format": "csv", "file": "s3://graphs/out/parts", "parts": true},
              {"task": "graph.load", "graph": "again", "edges": "s3://graphs/out/components.csv", "source": "id", "target": "component"}]}
            """;

    @TempDir Path folder;
    private Path bucket;
    private FolderObjects server;

    @BeforeEach
    void open() throws IOException {
        bucket = Files.createDirectories(folder.resolve("store/graphs"));
        Path in = Files.createDirectory(bucket.resolve("in"));
        Files.writeString(in.resolve("part-0.csv"), "1,2\n2,3\n");
        Files.writeString(in.resolve("part-1.csv"), "3,4\n5,6\n");
        Files.writeString(in.resolve("_SUCCESS"), "");
        Files.createDirectory(folder.resolve("home"));
        Files.writeString(folder.resolve("home/s.json"), SCRIPT);
        server = FolderObjects.of(folder.resolve("store"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @Tag("slow")
    void runAScriptThatReadsAndWritesThem() throws Exception {
        ProcessRun refused = starling(Map.of(), "run", "s.json", "--allow-url", "s3://graphs");
        ProcessRun run =
                starling(
                        Map.of(),
                        "run",
                        "s.json",
                        "--peers",
                        "2",
                        "--json",
                        "--allow-url",
                        "s3+write://graphs");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT.number());
        assertThat(refused.err()).contains("--allow-url s3+write://graphs/out");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("\"file\": \"s3://graphs/out/components.csv\"")
                .contains("\"file\": \"s3://graphs/out/parts\"")
                .doesNotContain(".starling");
        assertThat(bucket.resolve("out/components.csv"))
                .content()
                .startsWith("id,component\n1,")
                .hasLineCount(7);
        assertThat(bucket.resolve("out/parts")).isDirectoryContaining("glob:**/part-00000.csv");
        assertShowsNoKeys(run);
        assertThat(folder.resolve("home")).isDirectoryNotContaining("glob:**/.starling");
    }

    @Test
    void inspectAndConvertThem() throws Exception {
        ProcessRun converted =
                starling(
                        Map.of(),
                        "convert",
                        "s3://graphs/in/part-0.csv",
                        "s3://graphs/out/small.mtx",
                        "--verbose");

        assertThat(converted.exitCode()).as(converted.err()).isZero();
        assertThat(bucket.resolve("out/small.mtx")).content().startsWith("%%MatrixMarket");
        assertShowsNoKeys(converted);
    }

    @Tag("thorough")
    @Test
    void sayThatANodeHasNoKeysOrWrongOnes() throws Exception {
        ProcessRun none =
                starling(
                        Map.of("AWS_ACCESS_KEY_ID", "", "AWS_SECRET_ACCESS_KEY", ""),
                        "inspect",
                        "s3://graphs/in/part-0.csv");
        ProcessRun other =
                starling(
                        Map.of("AWS_ACCESS_KEY_ID", "another-account"),
                        "inspect",
                        "--verbose",
                        "s3://graphs/in/part-0.csv");

        assertThat(none.exitCode()).isEqualTo(ExitCode.BAD_INPUT.number());
        assertThat(none.err())
                .contains("this node has no keys", "AWS_ACCESS_KEY_ID", "(status 403)");
        assertThat(other.exitCode()).isEqualTo(ExitCode.BAD_INPUT.number());
        assertThat(other.err()).contains("may not do that").doesNotContain("another-account");
        assertShowsNoKeys(other);
    }

    private static void assertShowsNoKeys(ProcessRun run) {
        assertThat(run.out() + run.err())
                .doesNotContain(FolderObjects.ACCOUNT, FolderObjects.SECRET, "AWS4-HMAC");
    }

    private ProcessRun starling(Map<String, String> more, String... words) throws Exception {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", System.getenv("PATH"));
        environment.put("AWS_ACCESS_KEY_ID", FolderObjects.ACCOUNT);
        environment.put("AWS_SECRET_ACCESS_KEY", FolderObjects.SECRET);
        environment.put("AWS_ENDPOINT_URL", server.address());
        environment.putAll(more);
        return ProcessRun.of(
                JavaCommand.of(Main.class, List.of("-Duser.home=" + folder), List.of(words)),
                folder.resolve("home"),
                environment);
    }
}
