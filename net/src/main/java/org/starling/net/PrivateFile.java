package org.starling.net;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that nobody but their owner may read. */
final class PrivateFile {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private PrivateFile() {}

    /**
     * Never leaves a half-written file, nor one that others could have read; on the disk when this
     * returns, as what nodes write belongs to it.
     */
    static void write(Path file, String text) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(made);
        Files.createFile(made, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(made, text, StandardCharsets.US_ASCII);
        force(made);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        force(file.resolveSibling("."));
    }

    private static void force(Path fileOrFolder) throws IOException {
        try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
