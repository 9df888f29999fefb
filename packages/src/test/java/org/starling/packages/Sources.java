package org.starling.packages;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that the tests run in. */
final class Sources {
    private Sources() {}

    /** Its top: the first folder upwards that holds the launcher. */
    static Path root() {
        for (Path folder = Path.of("").toAbsolutePath();
                folder != null;
                folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("starling"))) {
                return folder;
            }
        }
        throw new IllegalStateException("the tests do not run inside a checkout");
    }
}
