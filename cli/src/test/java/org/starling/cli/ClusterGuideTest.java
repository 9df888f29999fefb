package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first commands of the guide to clusters, word by word, on two hosts that have a tarball and
 * nothing else: no JDK, no checkout, no folder in common.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ClusterGuideTest {
    private static final List<String> NAMES = List.of("alpha", "delta");
    private static final int MOST_COMMANDS = 8;
    private static final Pattern COMMAND = Pattern.compile("(alpha|delta)\\$ (.*?)( &)?");

    /** Hosts are folders here. */
    private static final String SCP = "#!/bin/bash\nexec cp -rp \"$2\" \"../${3/://}\"\n";

    @TempDir Path folder;

    private final List<Process> nodes = new ArrayList<>();

    /** A command on a host, and the lines that stand below it. */
    private record Step(String host, String text, boolean goesOn, List<String> said) {}

    @Test
    void leadsFromATarballToAJobInEightCommands() throws Exception {
        List<Step> steps = steps();
        assertThat(steps).hasSizeBetween(2, MOST_COMMANDS);
        install();

        try (Hosts hosts = Hosts.open(NAMES.toArray(String[]::new))) {
            try {
                for (int i = 0; i < steps.size(); i++) {
                    follow(steps.get(i), folder.resolve("said-" + i), hosts);
                }
            } finally {
                for (Process node : nodes) {
                    node.destroy();
                }
                for (Process node : nodes) {
                    assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
                }
            }
        }

        assertThat(folder.resolve("alpha/results")).isNotEmptyDirectory();
    }

    /** The package of this checkout, which each host has got. */
    private void install() throws Exception {
        Path made = folder.resolve("made");
        Process packing =
                new ProcessBuilder(
                                Checkout.root().resolve("starling").toString(),
                                "package",
                                "--to",
                                made.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("packing").toFile())
                        .start();
        assertThat(packing.waitFor()).as(Files.readString(folder.resolve("packing"))).isZero();
        Path tools = Files.createDirectory(folder.resolve("tools"));
        Path scp = Files.writeString(tools.resolve("scp"), SCP);
        Files.setPosixFilePermissions(scp, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String name : NAMES) {
            Path home = Files.createDirectory(folder.resolve(name));
            Files.createDirectory(home.resolve("tmp"));
            try (var archives = Files.list(made)) {
                for (Path archive : archives.toList()) {
                    Files.copy(archive, home.resolve(archive.getFileName()));
                }
            }
        }
    }

    private void follow(Step step, Path output, Hosts hosts) throws Exception {
        Path own = folder.resolve(step.host).resolve("tmp");
        List<String> shell =
                List.of(
                        "bash",
                        "-c",
                        "mount --bind '%s' /var/tmp; %s%s"
                                .formatted(own, step.goesOn ? "exec " : "", step.text));
        ProcessBuilder builder =
                new ProcessBuilder(hosts.on(NAMES.indexOf(step.host), shell))
                        .directory(folder.resolve(step.host).toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment()
                .put("PATH", folder.resolve("tools") + ":/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().put("HOME", folder.resolve(step.host).toString());
        Process process = builder.start();
        process.getOutputStream().close();
        if (step.goesOn) {
            nodes.add(process);
            awaitAll(step, process, output);
        } else {
            int exit = process.waitFor();
            assertThat(exit).as("%s: %s", step.text, Files.readString(output)).isZero();
            assertThat(missing(step, output)).as(Files.readString(output)).isEmpty();
        }
    }

    private static void awaitAll(Step step, Process process, Path output) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!missing(step, output).isEmpty()) {
            String said = Files.readString(output);
            assertThat(process.isAlive()).as("%s: %s", step.text, said).isTrue();
            assertThat(System.nanoTime()).as("%s: %s", step.text, said).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /** What a command should say and has not said; {@code …} stands for anything. */
    private static List<String> missing(Step step, Path output) throws IOException {
        List<String> said = Files.readAllLines(output);
        return step.said.stream()
                .filter(line -> {
                    String pattern = ".*\\Q" + line.replace("…", "\\E.*\\Q") + "\\E.*";
                    return said.stream().noneMatch(each -> each.matches(pattern));
                })
                .toList();
    }

    /** All commands that the guide gives for a host by its name. */
    private static List<Step> steps() throws IOException {
        List<Step> steps = new ArrayList<>();
        boolean isBelow = false;
        for (String line : Files.readAllLines(Checkout.root().resolve("docs/guide/cluster.md"))) {
            Matcher command = COMMAND.matcher(line);
            if (command.matches()) {
                steps.add(
                        new Step(
                                command.group(1),
                                command.group(2),
                                command.group(3) != null,
                                new ArrayList<>()));
                isBelow = true;
            } else if (line.startsWith("```")) {
                isBelow = false;
            } else if (isBelow && !line.isBlank()) {
                steps.getLast().said.add(line.strip());
            }
        }
        return steps;
    }
}
