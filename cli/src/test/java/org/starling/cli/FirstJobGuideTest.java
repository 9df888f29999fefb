package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/guide/first-job.md, word by word, in one shell. */
final class FirstJobGuideTest {
    private static final Path GUIDE = Checkout.root().resolve("docs/guide/first-job.md");
    private static final int MOST_COMMANDS = 10;
    private static final long MINUTES = 9;

    @TempDir Path folder;

    @Test
    void hasTenCommandsAtMost() throws IOException {
        assertThat(commands()).hasSizeBetween(5, MOST_COMMANDS).first().asString().contains("PATH");
    }

    /**
     * Maven asks no other repository, and gets what is installed from one of the test's own, which
     * shows all the rest of the usual one.
     */
    @Test
    @Tag("slow")
    @Timeout(value = MINUTES + 1, unit = TimeUnit.MINUTES)
    void leadsFromAnEmptyFolderToAJobOnACluster() throws Exception {
        Path repository = repository();
        Path tools = Files.createDirectory(folder.resolve("tools"));
        executable(
                tools.resolve("mvn"),
                "exec %s -o -q -B -Dmaven.repo.local=%s \"$@\"".formatted(maven(), repository));
        executable(
                tools.resolve("starling"),
                "[[ \"$1\" != install ]] || set -- install --repository '%s'\nexec '%s' \"$@\""
                        .formatted(repository, Checkout.root().resolve("starling")));
        StringBuilder script = new StringBuilder("set -e\n");
        script.append("export STARLING_NO_BUILD=1 PATH='").append(tools).append("':\"$PATH\"\n");
        for (String command : commands()) {
            script.append("echo '$ ")
                    .append(command)
                    .append("' >&2\n")
                    .append(command)
                    .append('\n');
        }
        Path work = Files.createDirectory(folder.resolve("work"));
        Path said = folder.resolve("said");

        Process shell =
                new ProcessBuilder("bash", "-c", script.toString())
                        .directory(work.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(shell.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            shell.destroyForcibly();
            stopCluster(work.resolve("my-job"));
        }

        assertThat(shell.exitValue()).as(Files.readString(said)).isZero();
        assertThat(work.resolve("my-job/scripts/distances.txt"))
                .hasContent("1 0.0\n2 0.5\n3 1.5\n4 3.5\n5 3.75");
        assertThat(Files.readString(said)).contains("farthest", "3.75");
    }

    /** Stops the cluster of a guide that did not come to its end. */
    private static void stopCluster(Path project) throws Exception {
        if (Files.isDirectory(project.resolve(".starling"))) {
            new ProcessBuilder(Checkout.root().resolve("starling").toString(), "cluster", "stop")
                    .directory(project.toFile())
                    .start()
                    .waitFor(1, TimeUnit.MINUTES);
        }
    }

    private static List<String> commands() throws IOException {
        return Files.readAllLines(GUIDE).stream()
                .filter(line -> line.startsWith("$ "))
                .map(line -> line.substring(2))
                .map(line -> line.replace("/path/to/starling", Checkout.root().toString()))
                .toList();
    }

    /** A repository in which links stand for everything but Starling. */
    private Path repository() throws IOException {
        Path usual = Path.of(System.getProperty("user.home"), ".m2", "repository");
        Path repository = Files.createDirectories(folder.resolve("repository"));
        Files.createDirectory(repository.resolve("org"));
        for (String level : List.of("", "org")) {
            List<Path> entries = new ArrayList<>();
            try (Stream<Path> files = Files.list(usual.resolve(level))) {
                files.forEach(entries::add);
            }
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!name.equals(level.isEmpty() ? "org" : "starling")) {
                    Files.createSymbolicLink(repository.resolve(level).resolve(name), entry);
                }
            }
        }
        return repository;
    }

    private static String maven() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getenv("PATH"))
                .map(place -> Path.of(place, "mvn"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow()
                .toString();
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
