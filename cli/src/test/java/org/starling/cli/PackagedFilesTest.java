package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JavaCommand;

/** What is packed for those who start processes: systemd and Slurm. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PackagedFilesTest {
    private static final Pattern VARIABLE = Pattern.compile("STARLING_[A-Z_]+");

    /** Known to the launcher, or defined where they are used. */
    private static final Set<String> OTHERS =
            Set.of("STARLING_HOME", "STARLING_SHARED", "STARLING_LOCAL", "STARLING_JAVA_OPTS");

    private static final Path PACKAGES = Checkout.root().resolve("packages");

    @TempDir Path folder;

    @Test
    void namesNoVariableThatNodesDoNotKnow() throws IOException {
        Screen screen = new Screen();
        Commands.all()
                .run(new String[] {"node", "--help"}, screen.terminal(folder), new Interruption());
        Set<String> known = variables(screen.out());
        known.addAll(OTHERS);

        for (String file :
                List.of("systemd/starling@.service", "systemd/node.env", "slurm/starling.sbatch")) {
            Set<String> named = variables(Files.readString(PACKAGES.resolve(file)));
            assertThat(named).isNotEmpty();
            assertThat(known).as(file).containsAll(named);
        }
    }

    @Test
    void unitIsAcceptedBySystemdWhereItIsThere() throws Exception {
        assumeTrue(ToolOnPath.find("systemd-analyze").isPresent(), "there is no systemd");
        Path launcher = tool("starling", "exit 0");
        Path unit = folder.resolve("starling@peer.service");
        Files.writeString(
                unit,
                Files.readString(PACKAGES.resolve("systemd/starling@.service"))
                        .replace("/opt/starling/bin/starling", launcher.toString()));

        ProcessRun run =
                ProcessRun.of(
                        List.of("systemd-analyze", "verify", "--man=no", unit.toString()),
                        folder,
                        Map.of("PATH", System.getenv("PATH")));

        assertThat(run.out() + run.err()).doesNotContain("starling@");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    @Tag("slow")
    void batchScriptRunsScriptsOnEveryHostOfAnAllocation() throws Exception {
        Path tools = Files.createDirectory(folder.resolve("bin"));
        List<String> java =
                JavaCommand.of(
                        Main.class,
                        List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx512m"),
                        List.of());
        tool("bin/starling", "exec %s \"$@\"".formatted(HostShell.quoted(java)));
        tool("bin/scontrol", "[[ \"$*\" == 'show hostnames the-nodes' ]] && seq -f 127.0.0.%g 3");
        tool(
                "bin/srun",
                """
                while [[ "$1" == --* ]]; do
                  case "$1" in --nodelist=*) list="${1#*=}";; esac
                  shift
                done
                pids=()
                for node in ${list//,/ }; do
                  SLURMD_NODENAME="$node" STARLING_LISTEN="$node" "$@" &
                  pids+=("$!")
                done
                trap 'kill -TERM "${pids[@]}"' TERM
                wait "${pids[@]}"
                wait "${pids[@]}"
                """);
        Files.writeString(
                folder.resolve("job.json"),
                """
                {"name": "slurm", "tasks": [
                  {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 8},
                  {"task": "graph.bfs", "graph": "g", "source": 1},
                  {"task": "graph.write", "graph": "g", "state": "level", "file": "levels.txt"}]}
                """);
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", tools + ":" + System.getenv("PATH"));
        environment.put("STARLING_HOME", folder.toString());
        environment.put("STARLING_LOCAL", folder.resolve("local").toString());
        environment.put("STARLING_MEMORY", "128MiB");
        environment.put("STARLING_THREADS", "1");
        environment.put("SLURM_JOB_ID", "17");
        environment.put("SLURM_JOB_NODELIST", "the-nodes");

        Path said = folder.resolve("said");
        ProcessBuilder batch =
                new ProcessBuilder(
                                "bash",
                                PACKAGES.resolve("slurm/starling.sbatch").toString(),
                                "job.json")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile());
        batch.environment().clear();
        batch.environment().putAll(environment);
        Process process = batch.start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroy(); // it ends its nodes
            process.waitFor(1, TimeUnit.MINUTES);
        }

        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
        assertThat(Files.readString(said))
                .contains("The cluster is up: REST at http://127.0.0.1:7500")
                .contains("succeeded")
                .contains("superpeer-2 has left the cluster")
                .contains("peer has left the cluster");
        assertThat(folder.resolve("levels.txt")).isNotEmptyFile();
        assertThat(folder.resolve("local/starling-17-127.0.0.3-peer")).isNotEmptyDirectory();
        assertThat(folder.resolve(".starling-17")).as("secret and token").doesNotExist();
    }

    private static Set<String> variables(String text) {
        return VARIABLE.matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Path tool(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/usr/bin/env bash\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }
}
