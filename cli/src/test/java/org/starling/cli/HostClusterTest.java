package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.cluster.JavaCommand;
import org.starling.compute.script.JsonText;

/** A cluster that is started on several hosts by ssh, for which a stand-in is on the path. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HostClusterTest {
    @TempDir Path folder;

    private Path tools;

    @BeforeEach
    void makeTools() throws IOException {
        tools = Files.createDirectory(folder.resolve("tools"));
    }

    @Test
    void namesEveryHostThatFailsAndWhy() throws Exception {
        Files.writeString(
                folder.resolve("hosts"), "alpha superpeer\nme@beta peer\ngamma peer\ndelta peer");
        tool(
                "ssh",
                """
                host="${@: -3:1}"
                cat >"%s/$host.script"
                printf '%%s ' "$@" >"%s/$host.words"
                case "$host" in
                  me@beta) echo 'Permission denied (publickey).' >&2; exit 255;;
                  gamma) echo 'some warning' >&2; echo 'the disk is full' >&2; exit 4;;
                  *) echo 'runs 17';;
                esac
                """
                        .formatted(folder, folder));

        ProcessRun run = starling("start", "--insecure", "--launcher", "/opt/it's/starling");

        assertThat(run.exitCode()).isEqualTo(ExitCode.NO_CLUSTER.number());
        assertThat(run.err())
                .contains("me@beta: ssh: Permission denied (publickey).")
                .contains("gamma: the disk is full")
                .contains("2 of 4 hosts failed")
                .doesNotContain("alpha:");
        assertThat(folder.resolve("alpha.words"))
                .content()
                .startsWith("-o BatchMode=yes ")
                .doesNotContain(Files.readString(folder.resolve("keys/token")).strip());
        assertThat(folder.resolve("alpha.script"))
                .content()
                .contains("launcher='/opt/it'\\''s/starling'")
                .contains("'--role' 'superpeer' '--seeds' 'alpha:7400'")
                .contains(Files.readString(folder.resolve("keys/token")).strip());
    }

    @Test
    void refusesWhatTheFileSays() throws Exception {
        Files.writeString(folder.resolve("hosts"), "alpha superpeer\nbeta peer");

        ProcessRun twice = starling("start", "--insecure", "--launcher", "x", "--peers", "3");

        assertThat(twice.exitCode()).isEqualTo(ExitCode.WRONG_USAGE.number());
        assertThat(twice.err()).contains("--peers says what the file of --hosts says");
    }

    @Test
    void givesEachHostACertificateOfItsOwnAndRefusesToLeaveItAway() throws Exception {
        Files.writeString(folder.resolve("hosts"), "Alpha superpeer\nme@beta peer");
        tool(
                "ssh",
                """
                host="${@: -3:1}"
                cat >"%s/$host.script"
                echo 'runs 17'
                """
                        .formatted(folder));

        ProcessRun up = starling("start", "--launcher", "x");
        String alpha = Files.readString(folder.resolve("Alpha.script"));
        ProcessRun again = starling("start", "--launcher", "x");
        ProcessRun overheard = starling("start", "--insecure", "--launcher", "x");

        assertThat(up.exitCode()).as(up.err()).isZero();
        assertThat(up.out()).contains("REST at https://Alpha:7500/api/v1");
        assertThat(alpha)
                .contains("'node.crt.pem'", "'node.key.pem'", "'authority.crt.pem'")
                .contains("'secret'", "'token'")
                .doesNotContain("authority.key.pem", "--insecure");
        assertThat(folder.resolve("me@beta.script"))
                .content()
                .doesNotContain(
                        Files.readString(folder.resolve("keys/alpha/node.key.pem")).strip());
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(folder.resolve("Alpha.script")).hasContent(alpha);
        assertThat(overheard.exitCode()).isEqualTo(ExitCode.WRONG_USAGE.number());
        assertThat(overheard.err()).contains("holds certificates");
    }

    @Test
    void changesNothingWhereANodeOfAnotherClusterIs() throws Exception {
        Path there = hostWithKeys("secret", "token", "node.crt.pem");

        ProcessRun run = starling("start", "--insecure", "--launcher", launcher());

        assertThat(run.exitCode()).isEqualTo(ExitCode.NO_CLUSTER.number());
        assertThat(run.err()).contains("another cluster's node is in " + there);
        for (String name : List.of("secret", "token", "node.crt.pem")) {
            assertThat(there.resolve("keys").resolve(name)).hasContent("old " + name);
        }
        assertThat(there.resolve("node.log")).doesNotExist();
    }

    @Test
    void removesKeysThatAreNotBroughtAnyMore() throws Exception {
        Path there = hostWithKeys("node.crt.pem", "node.key.pem");

        ProcessRun run = starling("start", "--insecure", "--launcher", launcher());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(there.resolve("keys"))
                .isDirectoryContaining("glob:**/secret")
                .isDirectoryContaining("glob:**/token")
                .isDirectoryNotContaining("glob:**/*.pem");
    }

    @Test
    void bringsNothingButCertificatesToANodeThatRuns() throws Exception {
        Path there = hostWithKeys("token", "node.crt.pem", "authority.old.pem");
        Process node =
                new ProcessBuilder("bash", "-c", "sleep 60; :", "org.starling.cli.Main").start();
        try {
            Files.writeString(there.resolve("node.pid"), String.valueOf(node.pid()));

            ProcessRun run = starling("start", "--launcher", launcher());

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(there.resolve("keys/token")).hasContent("old token");
            assertThat(there.resolve("keys/authority.old.pem")).exists();
            assertThat(there.resolve("keys/secret")).doesNotExist();
            assertThat(there.resolve("keys/node.crt.pem"))
                    .content()
                    .contains("-----BEGIN CERTIFICATE-----");
        } finally {
            node.descendants().forEach(ProcessHandle::destroy);
            node.destroy();
        }
    }

    /** A host that is this one, with a node's folder that has these keys. */
    private Path hostWithKeys(String... names) throws IOException {
        Path there = Files.createDirectory(folder.toRealPath().resolve("there"));
        Files.createDirectory(there.resolve("keys"));
        for (String name : names) {
            Files.writeString(there.resolve("keys").resolve(name), "old " + name);
        }
        Files.writeString(
                folder.resolve("hosts"),
                "alpha superpeer %s\nbeta peer %s-2".formatted(there, there));
        tool("ssh", "exec bash -s");
        return there;
    }

    private String launcher() throws IOException {
        return tool("starling", "echo 'superpeer-0 is node 0'; sleep 2").toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("slow")
    void startsLooksAtAndStopsNodesOnOtherHosts(boolean isInsecure) throws Exception {
        try (Hosts hosts = Hosts.open(4, 1)) {
            for (int i = 0; i < 4; i++) {
                Files.createDirectory(folder.resolve(hosts.name(i)));
            }
            String namespace = hosts.starling(0, List.of()).get(3).replaceFirst("0$", "");
            tool(
                    "ssh",
                    """
                    host="${@: -3:1}"
                    export HOME="%s/$host"
                    cd "$HOME" || exit 255
                    exec ip netns exec "%s${host#host-}" "${@: -2}"
                    """
                            .formatted(folder, namespace));
            List<String> java =
                    JavaCommand.of(
                            Main.class,
                            List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx512m"),
                            List.of());
            Path launcher =
                    tool(
                            "starling",
                            "export STARLING_MEMORY=256MiB STARLING_THREADS=1\nexec %s \"$@\""
                                    .formatted(HostShell.quoted(java)));
            Files.writeString(
                    folder.resolve("hosts"),
                    """
                    host-0 superpeer
                    host-1 peer
                    host-2 peer %s/elsewhere
                    host-3 peer
                    """
                            .formatted(folder));
            List<String> start =
                    new ArrayList<>(List.of("start", "--launcher", launcher.toString()));
            if (isInsecure) {
                start.add("--insecure");
            }

            try {
                ProcessRun up = starling(hosts, start.toArray(String[]::new));
                assertThat(up.exitCode()).as(up.err()).isZero();
                assertThat(up.out())
                        .contains("1 superpeer and 3 peers on 4 hosts")
                        .contains(
                                "REST at http%s://host-0:7500/api/v1"
                                        .formatted(isInsecure ? "" : "s"))
                        .containsPattern("host-2 +peer +runs, process \\d+");
                assertThat(folder.resolve("elsewhere/data")).isNotEmptyDirectory();
                Path usual = folder.resolve("host-1/.starling/node");
                assertThat(usual.resolve("data")).isNotEmptyDirectory();
                assertThat(Files.getPosixFilePermissions(usual.resolve("keys/secret")))
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
                assertThat(Files.exists(usual.resolve("keys/node.key.pem")))
                        .isNotEqualTo(isInsecure);

                ProcessRun again = starling(hosts, start.toArray(String[]::new));
                assertThat(pids(again.out())).as(again.err()).isEqualTo(pids(up.out()));

                Map<?, ?> status =
                        (Map<?, ?>)
                                Objects.requireNonNull(
                                        JsonText.parse(starling(hosts, "status", "--json").out()));
                assertThat((List<?>) status.get("hosts")).hasSize(4);
                assertThat((List<?>) status.get("nodes")).hasSize(4);
            } finally {
                ProcessRun stopped = starling(hosts, "stop");
                assertThat(stopped.out())
                        .as(stopped.err())
                        .isEqualTo("stopped the nodes on host-0, host-1, host-2, host-3\n");
            }
            assertThat(Files.readString(folder.resolve("host-1/.starling/node/node.log")))
                    .contains("has left the cluster");
            ProcessRun down = starling(hosts, "status");
            assertThat(down.exitCode()).isEqualTo(ExitCode.NO_CLUSTER.number());
            assertThat(down.out()).containsPattern("host-3 +peer +does not run");
            assertThat(starling(hosts, "stop").out()).isEqualTo("nothing runs on these hosts\n");
        }
    }

    private static List<String> pids(String text) {
        return text.lines()
                .filter(line -> line.contains("process "))
                .map(line -> line.replaceAll("\\D+", " "))
                .toList();
    }

    private ProcessRun starling(String... words) throws Exception {
        return ProcessRun.of(
                JavaCommand.of(Main.class, List.of(), words(words)), folder, environment());
    }

    private ProcessRun starling(Hosts hosts, String... words) throws Exception {
        return ProcessRun.of(
                hosts.starling(0, List.of(), words(words).toArray(String[]::new)),
                folder,
                environment());
    }

    private static List<String> words(String... words) {
        List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(words));
        all.addAll(List.of("--hosts", "hosts", "--keys", "keys"));
        return all;
    }

    private Map<String, String> environment() {
        return Map.of("PATH", tools + ":" + System.getenv("PATH"));
    }

    private Path tool(String name, String text) throws IOException {
        Path file = Files.writeString(tools.resolve(name), "#!/usr/bin/env bash\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }
}
