package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * {@code install}: puts the libraries that jobs are built with into the local Maven repository, as
 * {@code mvn install} would, but out of what is built already and without asking any other
 * repository.
 */
final class InstallCommand extends Command {
    /** System property in which the launcher names the checkout. */
    static final String ROOT = "starling.root";

    private static final String REPOSITORY = "repository";
    private static final String USUAL = ".m2/repository";
    private static final String GROUP = "org/starling";

    /** What jobs need, and what that needs. */
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

    InstallCommand() {
        super(
                "install",
                "",
                "Puts starling-graph-api and starling-test-kit into the local Maven repository.");
    }

    @Override
    Options options() {
        return optionsOf(
                valued(
                        REPOSITORY,
                        "DIR",
                        "the local Maven repository (default: .m2/repository in your home)"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        String root = System.getProperty(ROOT);
        if (root == null) {
            throw new InvalidInputException(
                    "install copies what a checkout has built; run it as ./starling there");
        }
        String named = line.getOptionValue(REPOSITORY);
        Path repository =
                named == null
                        ? Path.of(System.getProperty("user.home"), USUAL)
                        : terminal.file(named);
        String version = Commands.version();
        install(Path.of(root), repository, version);
        terminal.tell(
                line.hasOption(Commands.JSON),
                Map.of("repository", repository.toString(), "version", version),
                "put org.starling:starling-graph-api and starling-test-kit %s into %s"
                        .formatted(version, repository));
        return ExitCode.DONE;
    }

    /**
     * Copies jars and descriptions.
     *
     * @throws InvalidInputException if a jar is missing or the repository can't be written
     */
    static void install(Path root, Path repository, String version) {
        for (String room : ROOMS) {
            Path jar = root.resolve(room).resolve("target").resolve(jar(room, version));
            if (!Files.isRegularFile(jar)) {
                throw new InvalidInputException(
                        jar + " is not there; build it: mvn -DskipTests package");
            }
        }
        copy(root.resolve("pom.xml"), repository, "starling", version, ".pom");
        for (String room : ROOMS) {
            Path folder = root.resolve(room);
            String artifact = "starling-" + room;
            copy(folder.resolve("pom.xml"), repository, artifact, version, ".pom");
            copy(
                    folder.resolve("target").resolve(jar(room, version)),
                    repository,
                    artifact,
                    version,
                    ".jar");
        }
    }

    private static String jar(String room, String version) {
        return "starling-" + room + "-" + version + ".jar";
    }

    /** Copies beside the place and moves: whoever builds meanwhile sees whole files. */
    private static void copy(
            Path from, Path repository, String artifact, String version, String ending) {
        Path folder = repository.resolve(GROUP).resolve(artifact).resolve(version);
        Path to = folder.resolve(artifact + "-" + version + ending);
        Path draft = folder.resolve(to.getFileName() + ".draft");
        try {
            Files.createDirectories(folder);
            Files.copy(from, draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException broken) {
            throw FileTrouble.refusal(to, "written", broken);
        }
    }
}
