package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;

/** What comes into a Maven repository. */
final class InstallCommandTest {
    private static final List<String> ROOMS =
            List.of(
                    "net",
                    "store",
                    "graph-api",
                    "compute",
                    "loaders",
                    "algorithms",
                    "tasks",
                    "test-kit");

    @TempDir Path folder;

    @Test
    void putsJarsAndDescriptionsWhereMavenLooksForThem() throws IOException {
        Path root = checkout();
        Path repository = folder.resolve("repository");

        InstallCommand.install(root, repository, "1");
        InstallCommand.install(root, repository, "1");

        Path kit = repository.resolve("org/starling/starling-test-kit/1");
        assertThat(kit.resolve("starling-test-kit-1.jar")).hasContent("jar of test-kit");
        assertThat(kit.resolve("starling-test-kit-1.pom")).hasContent("pom of test-kit");
        assertThat(kit).isDirectoryNotContaining("glob:**.draft");
        assertThat(repository.resolve("org/starling/starling/1/starling-1.pom"))
                .hasContent("parent");
    }

    @Test
    void leavesTheRepositoryAloneWhenAJarIsMissing() throws IOException {
        Path root = checkout();
        Files.delete(root.resolve("test-kit/target/starling-test-kit-1.jar"));
        Path repository = folder.resolve("repository");

        assertThatThrownBy(() -> InstallCommand.install(root, repository, "1"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("starling-test-kit-1.jar is not there; build it");
        assertThat(repository).doesNotExist();
    }

    @Test
    void saysThatARepositoryCantBeWritten() throws IOException {
        Path root = checkout();
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> InstallCommand.install(root, file, "1"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("written");
    }

    /** So that the kit finds all that it needs: every room that another one of them names. */
    @Test
    void takesEveryRoomThatTheKitNeeds() throws IOException {
        for (String room : ROOMS) {
            String pom = Files.readString(Checkout.root().resolve(room).resolve("pom.xml"));
            String needed = pom.substring(pom.indexOf("<dependencies>"));
            needed.lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("<artifactId>starling-"))
                    .map(line -> line.replaceAll("<artifactId>starling-|</artifactId>", ""))
                    .forEach(other -> assertThat(ROOMS).contains(other));
        }
    }

    private Path checkout() throws IOException {
        Path root = Files.createDirectory(folder.resolve("checkout"));
        Files.writeString(root.resolve("pom.xml"), "parent");
        for (String room : ROOMS) {
            Path target = Files.createDirectories(root.resolve(room).resolve("target"));
            Files.writeString(target.resolve("starling-" + room + "-1.jar"), "jar of " + room);
            Files.writeString(root.resolve(room).resolve("pom.xml"), "pom of " + room);
        }
        return root;
    }
}
