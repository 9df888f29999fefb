package org.starling.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder that lives as long as this object.
 *
 * @param path where it is
 */
public record TempFolder(Path path) implements AutoCloseable {
    /** A new one among the system's temporary files. */
    public static TempFolder create(String name) {
        try {
            return new TempFolder(Files.createTempDirectory(name));
        } catch (IOException broken) {
            throw new UncheckedIOException("no folder can be made for " + name, broken);
        }
    }

    /** Removes it with all that is in it, if it is there. */
    @Override
    public void close() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(path)) {
            for (Path file : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(path + " can't be removed", broken);
        }
    }
}
