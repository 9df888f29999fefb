package org.starling.loaders;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * The optional folder of reference data beside the checkout; tests that need it are skipped, saying
 * so, where it is missing. Looked for in the system property {@code starling.shared}, the
 * environment variable {@code STARLING_SHARED}, and beside the folder of the root pom.
 */
final class SharedData {

    private SharedData() {}

    /** A file of the folder; skips the test if there is none. */
    static Path file(String name) {
        Optional<Path> file = folder().map(folder -> folder.resolve(name)).filter(Files::exists);
        Assumptions.assumeTrue(file.isPresent(), "skipped: no reference data ../shared/" + name);
        return file.orElseThrow();
    }

    private static Optional<Path> folder() {
        String named = System.getProperty("starling.shared", System.getenv("STARLING_SHARED"));
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("graph-api").resolve("pom.xml"))) {
                return Optional.of(at.resolveSibling("shared"));
            }
        }
        return Optional.empty();
    }
}
