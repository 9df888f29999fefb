package org.starling.packages;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;
import org.starling.graph.InvalidInputException;

/** A checkout in which everything is built: where the parts of a package come from. */
final class Checkout {
    /** System property in which the launcher names the checkout. */
    private static final String ROOT = "starling.root";

    private static final String LIBRARIES = "cli/target/starling/lib";
    private static final String SCRIPTS = "examples/scripts";

    /** What running a script there leaves behind. */
    private static final String RESULTS = "-levels.txt";

    private final Path root;
    private final Properties build = new Properties();

    Checkout(Path root) {
        this.root = root;
        try (InputStream stream = Checkout.class.getResourceAsStream("build.properties")) {
            if (stream == null) {
                throw new IllegalStateException("build.properties is missing in the jar");
            }
            build.load(stream);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** The one whose launcher started this process. */
    static Checkout ofLauncher() {
        String root = System.getProperty(ROOT);
        if (root == null) {
            throw new InvalidInputException(
                    "package packs what a checkout has built; run it as ./starling there");
        }
        return new Checkout(Path.of(root));
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /** Time of the build, as the whole build has it: the same for the same sources. */
    Instant time() {
        return Instant.parse(build.getProperty("time"));
    }

    String version() {
        return build.getProperty("version");
    }

    /** Name of a package for this machine's system and processor, and of the folder in it. */
    String name() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(" ", "");
        String processor =
                switch (System.getProperty("os.arch")) {
                    case "amd64" -> "x64";
                    case "aarch64" -> "arm64";
                    case String other -> other;
                };
        return "starling-%s-%s-%s".formatted(version(), system, processor);
    }

    /**
     * All jars that the commands need, by name.
     *
     * @throws InvalidInputException if they are not built
     */
    List<Path> libraries() throws IOException {
        Path folder = file(LIBRARIES);
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException(
                    "nothing is built in %s; build it: mvn -DskipTests package".formatted(folder));
        }
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().toList();
        }
    }

    /** What a package holds beside its runtime. */
    List<Packed> content() throws IOException {
        List<Packed> content = new ArrayList<>();
        for (String name : List.of("LICENSE", "NOTICE", "README.md")) {
            content.add(Packed.of(name, file(name)));
        }
        content.add(Packed.of("bin/starling", file("starling")));
        for (Path script : Folders.below(file(SCRIPTS))) {
            String name = script.getFileName().toString();
            if (!name.startsWith(".") && !name.endsWith(RESULTS)) {
                content.add(Packed.of(SCRIPTS + "/" + name, script));
            }
        }
        for (String kind : List.of("grafana", "kubernetes", "prometheus", "slurm", "systemd")) {
            String name = "packages/" + kind;
            content.addAll(Packed.folder(name, file(name)));
        }
        for (Path jar : libraries()) {
            content.add(Packed.of("lib/" + jar.getFileName(), jar));
        }
        return content;
    }
}
