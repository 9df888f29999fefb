package org.starling.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that nobody but their owner may read. */
final class PrivateFile {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private PrivateFile() {}

    /** Never leaves a half-written file, nor one that others could have read. */
    static void write(Path file, String text) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(made);
        Files.createFile(made, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(made, text, StandardCharsets.US_ASCII);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
