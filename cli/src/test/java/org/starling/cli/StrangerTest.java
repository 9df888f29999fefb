package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JobRequest;
import org.starling.graph.InvalidInputException;

/** What another user of the machine can do to a cluster of real processes: nothing. */
@Tag("slow")
@Timeout(180)
final class StrangerTest {
    private static final String WRITE =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 8},
              {"task": "graph.wcc", "graph": "g"},
              {"task": "graph.write", "graph": "g", "state": "component", "file": "%s"}]}
            """;

    @TempDir Path folder;

    @BeforeEach
    void becomeAUserWhomOthersCanVisit() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be nobody");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assumeTrue(asNobody("true").code == 0, "there is no user nobody");
    }

    @Test
    void readsNothingOfAClusterAndSubmitsNothing() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, 2)) {
            Path mine = cluster.processes().plan().folder();
            cluster.awaitEnd(cluster.submit(WRITE.formatted("out.txt")), Status.SUCCEEDED);

            try (Stream<Path> files = Files.walk(mine)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(asNobody("cat '%s'".formatted(file)).code)
                            .as("%s", file)
                            .isNotZero();
                }
            }
            assertThat(asNobody("touch '%s'/x '%s'/data/x".formatted(mine, mine)).code).isNotZero();
            String url = cluster.processes().urls().getFirst() + "/api/v1";
            String request = new JobRequest("s", "{}", Map.of(), false, Path.of("/")).json();
            for (String asked :
                    List.of(
                            "/jobs",
                            "/jobs/1",
                            "/jobs/1/report",
                            "/status",
                            "/networks",
                            "/jobs/1 -X DELETE",
                            "/jobs -H 'Content-Type: application/json' -d '" + request + "'")) {
                Said said = asNobody("curl -s -i " + url + asked);
                assertThat(said.text).as(asked).startsWith("HTTP/1.1 401").contains("{\"error\"");
            }
            assertThat(cluster.client().jobs()).hasSize(1);
            assertThat(commandLines()).doesNotContain(cluster.processes().token().text());
            assertThat(logs(mine)).doesNotContain(cluster.processes().token().text());
        }
    }

    /** The owner's scripts write into a folder in which others can put links in the way. */
    @Test
    void leadsNoBytesOutOfTheRoots() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (RealCluster cluster = RealCluster.start(shared, 1, 2)) {
            for (String link : List.of("out.txt", "out2.txt.part", "out2.txt.0.part")) {
                assertThat(asNobody("ln -s '%s' '%s/%s'".formatted(victim, shared, link)).code)
                        .isZero();
            }

            assertThatThrownBy(() -> cluster.submit(WRITE.formatted("out.txt")))
                    .isInstanceOf(InvalidScriptException.class)
                    .hasMessageContaining("cluster start --allow");
            cluster.awaitEnd(cluster.submit(WRITE.formatted("out2.txt")), Status.SUCCEEDED);

            assertThat(victim).hasContent("mine");
        }
    }

    /** Whoever holds the token uses what the cluster's configuration allows, and nothing else. */
    @Test
    void usesNoFolderThatIsNotAllowed() throws Exception {
        Path allowed = Files.createDirectory(folder.resolve("allowed"));
        Files.writeString(folder.resolve("secret.txt"), "1 2\n");
        String load =
                "{\"tasks\": [{\"task\": \"graph.load\", \"graph\": \"g\", \"file\": \"%s\"}]}";
        try (RealCluster cluster = RealCluster.start(allowed, 1, 1)) {
            JobRequest everywhere =
                    new JobRequest("s", load.formatted("secret.txt"), Map.of(), false, folder);

            assertThatThrownBy(() -> cluster.client().submit(everywhere, 77))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("lies outside the folders that this script may use")
                    .hasMessageEndingWith("cluster start --allow " + folder);
            assertThatThrownBy(() -> cluster.submit(load.formatted("../secret.txt")))
                    .hasMessageContaining("outside the folders that this script may use");
            assertThatThrownBy(() -> cluster.submit(load.formatted("../no-such-file")))
                    .as("what lies elsewhere is told to nobody")
                    .hasMessageContaining("outside the folders that this script may use");
        }
    }

    @Test
    void preparesNoFolderForSomebodyElse() throws Exception {
        Path trap = folder.resolve("trap");
        assertThat(asNobody("mkdir '%s'".formatted(trap)).code).isZero();

        assertThatThrownBy(() -> LocalCluster.start(ClusterPlan.of(trap, 1, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(trap + " belongs to nobody, not to root who starts it");
        assertThat(trap).isEmptyDirectory();
    }

    /** Whoever put them there knows what is in them. */
    @Test
    void takesNoTokenAndNoSecretOfSomebodyElse() throws Exception {
        String text = "5f".repeat(32); // good for both
        for (String file : List.of("token", "secret")) {
            Path trap = Files.createDirectory(folder.resolve("with-" + file));
            Files.setPosixFilePermissions(trap, PosixFilePermissions.fromString("rwxrwxrwx"));
            String make = "umask 077; echo %s > '%s/%s'".formatted(text, trap, file);
            assertThat(asNobody(make).code).isZero();

            int port = FreePorts.base();
            ClusterPlan plan = ClusterPlan.of(trap, 1, 1).withPorts(port, port + 90);
            assertThatThrownBy(() -> LocalCluster.start(plan).kill())
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(trap.resolve(file) + " belongs to nobody, not to root");
        }
    }

    private static String commandLines() throws Exception {
        return run("ps", "-eo", "args").text;
    }

    private static String logs(Path cluster) throws Exception {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> logs = Files.list(cluster.resolve("logs"))) {
            for (Path log : logs.toList()) {
                text.append(Files.readString(log));
            }
        }
        return text.toString();
    }

    private static Said asNobody(String command) throws Exception {
        return run("su", "-s", "/bin/sh", "nobody", "-c", command);
    }

    private static Said run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private record Said(int code, String text) {}
}
