package org.starling.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A package made of this checkout, on a machine without Java. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class PackageTest {
    /** All that the launcher uses. */
    private static final List<String> TOOLS =
            List.of("bash", "env", "dirname", "readlink", "touch", "mkdir", "mv", "rm");

    private static final int SIGTERM_MINUTES = 2;

    @TempDir static Path folder;

    private static Path home;
    private static Map<String, String> environment;

    @BeforeAll
    static void install() throws Exception {
        Path made = pack("made");
        Ended tar =
                Ended.run(
                        folder,
                        Map.of("PATH", System.getenv("PATH")),
                        List.of("tar", "xzf", made.toString()));
        assertThat(tar.exitCode()).as(tar.said()).isZero();
        home = folder.resolve(new Checkout(Sources.root()).name());
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
        }
        environment = Map.of("PATH", tools.toString());
    }

    @Test
    void isMadeWithTheSameBytesAgain() throws Exception {
        assertThat(pack("again")).hasSameBinaryContentAs(folder.resolve("made").resolve(archive()));
        assertThat(folder.resolve("again").resolve(image()))
                .hasSameBinaryContentAs(folder.resolve("made").resolve(image()));
    }

    /** As an engine of containers runs it: its own root, its own processes, and no rights. */
    @Test
    void runsAScriptAsAnImageWithoutAShell() throws Exception {
        assumeThat(System.getProperty("user.name")).as("who may change the root").isEqualTo("root");
        Path root = Files.createDirectory(folder.resolve("root"));
        for (String layer : unpackedLayers(Files.createDirectory(folder.resolve("image")))) {
            assertThat(shell("tar xzf " + layer + " -C " + root + " --warning=none").exitCode())
                    .isZero();
        }
        for (String file : List.of("first-flight.json", "karate.graph")) {
            Files.copy(
                    home.resolve("examples/scripts").resolve(file), root.resolve("data/" + file));
        }
        String java =
                "/opt/starling/runtime/bin/java %s -Djava.io.tmpdir=/tmp -cp '/opt/starling/lib/*' org.starling.cli.Main"
                        .formatted(String.join(" ", ContainerImage.OPTIONS));

        Ended run =
                shell(
                        """
                        chown -R %2$s %1$s/data
                        mkdir %1$s/proc
                        exec unshare -m -p -f bash -c "mount -t proc proc %1$s/proc
                        exec chroot --userspec=%2$s %1$s %3$s run /data/first-flight.json -P scale=8 --processes"
                        """
                                .formatted(root, ContainerImage.USER, java));

        assertThat(run.exitCode()).as(run.said()).isZero();
        assertThat(run.said()).contains("first flight: succeeded");
        assertThat(root.resolve("data/first-flight-levels.txt")).isNotEmptyFile();
        assertThat(root.resolve("bin")).doesNotExist();
    }

    private static List<String> unpackedLayers(Path to) throws Exception {
        assertThat(shell("tar xf %s -C %s".formatted(folder.resolve("made/" + image()), to)))
                .extracting(Ended::exitCode)
                .isEqualTo(0);
        JsonObject index = json(to.resolve("index.json"));
        String manifest = digest(index.getAsJsonArray("manifests").get(0));
        return json(to.resolve("blobs/sha256/" + manifest))
                .getAsJsonArray("layers")
                .asList()
                .stream()
                .map(layer -> to.resolve("blobs/sha256/" + digest(layer)).toString())
                .toList();
    }

    private static JsonObject json(Path file) throws IOException {
        return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    }

    private static String digest(JsonElement described) {
        return described.getAsJsonObject().get("digest").getAsString().replace("sha256:", "");
    }

    private static Ended shell(String text) throws Exception {
        return Ended.run(
                folder, Map.of("PATH", System.getenv("PATH")), List.of("bash", "-euc", text));
    }

    @Test
    void holdsNothingOfThisMachine() throws Exception {
        Ended tar =
                Ended.run(
                        folder,
                        Map.of("PATH", System.getenv("PATH")),
                        List.of("tar", "tzvf", folder.resolve("made/" + archive()).toString()));

        assertThat(tar.said().lines()).allMatch(line -> line.contains(" root/root "));
        assertThat(home.resolve("runtime/bin/javac")).doesNotExist();
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(home.resolve("packages/systemd/starling@.service")).isNotEmptyFile();
        assertThat(home.resolve("packages/kubernetes/chart/templates/_pod.tpl")).isNotEmptyFile();
        assertThat(home.resolve("packages/grafana/starling.json")).isNotEmptyFile();
        assertThat(home.resolve("packages/slurm/starling.sbatch")).isExecutable();
        assertThat(home.resolve("runtime/legal/java.base")).isNotEmptyDirectory();
    }

    @Test
    void runsAScriptWithoutAJdk() throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        for (String file : List.of("first-flight.json", "karate.graph")) {
            Files.copy(home.resolve("examples/scripts").resolve(file), work.resolve(file));
        }

        Ended run = starling(work, "run", "first-flight.json", "-P", "scale=8", "--processes");

        assertThat(run.exitCode()).as(run.said()).isZero();
        assertThat(run.said()).contains("first flight: succeeded");
        assertThat(work.resolve("first-flight-levels.txt")).isNotEmptyFile();
    }

    @Test
    void makesNoPackagesItself() throws Exception {
        Ended run = starling(folder, "package");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.said())
                .isEqualTo(
                        "starling: package makes packages of a checkout, and this is one"
                                + " already.\n");
    }

    @Test
    void runsANodeThatEndsInOrderOnSigterm() throws Exception {
        Path work = Files.createDirectory(folder.resolve("node"));
        assertThat(starling(work, "keys", "init", "keys").exitCode()).isZero();
        int port = freePort();
        int rest = freePort();
        Path log = work.resolve("log");

        Process node =
                Ended.start(
                        work,
                        environment,
                        List.of(
                                home.resolve("bin/starling").toString(),
                                "node",
                                "--role",
                                "superpeer",
                                "--port",
                                String.valueOf(port),
                                "--rest-port",
                                String.valueOf(rest),
                                "--keys",
                                "keys",
                                "--data",
                                "data"),
                        log);
        try {
            awaitReady(node, URI.create("http://127.0.0.1:%d/health/ready".formatted(rest)), log);
            node.destroy();

            assertThat(node.waitFor(SIGTERM_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            node.destroyForcibly();
        }
        assertThat(Files.readString(log))
                .contains("superpeer-0 is node 0")
                .contains("superpeer-0 has left the cluster");
        assertThat(home.resolve("starling.aot.scratch")).doesNotExist();
    }

    private static void awaitReady(Process node, URI url, Path log) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (true) {
                assertThat(node.isAlive()).as(Files.readString(log)).isTrue();
                assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadline);
                if (isReady(client, url)) {
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    private static boolean isReady(HttpClient client, URI url) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(url).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static Ended starling(Path work, String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/starling").toString());
        command.addAll(List.of(words));
        return Ended.run(work, environment, command);
    }

    private static Path pack(String name) throws Exception {
        Path to = folder.resolve(name);
        Ended run =
                Ended.run(
                        folder,
                        Map.of("PATH", System.getenv("PATH")),
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Dstarling.root=" + Sources.root(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                PackageMain.class.getName(),
                                "--to",
                                to.toString(),
                                "--image"));
        assertThat(run.exitCode()).as(run.said()).isZero();
        assertThat(run.said()).containsPattern("linux-\\w+\\.tar\\.gz: \\d+\\.\\d MiB, sha256 ");
        return to.resolve(archive());
    }

    private static String archive() {
        return new Checkout(Sources.root()).name() + ".tar.gz";
    }

    private static String image() {
        return new Checkout(Sources.root()).name() + "-image.tar";
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
