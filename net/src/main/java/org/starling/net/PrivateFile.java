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
import java.util.EnumSet;
import java.util.Set;

/** Files that nobody but their owner may read. */
public final class PrivateFile {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** What it can do with its own file is its own affair. */
    private static final Set<PosixFilePermission> OWNERS =
            PosixFilePermissions.fromString("rwx------");

    private static final String OWNER_ID = "unix:uid";

    /** It belongs to whoever runs this process. */
    private static final Path SELF = Path.of("/proc/self");

    private static final int ADMINISTRATOR = 0;

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

    /**
     * Rights that others have than whoever is to read a file. What the system's administrator (user
     * id 0) has given to somebody else by a group is none: so secrets come into containers, where a
     * file can't belong to who reads it.
     *
     * @param file a file
     * @return rights that it should not have; none if it is as it should be
     * @throws IOException if it can't be looked at
     */
    public static Set<PosixFilePermission> excess(Path file) throws IOException {
        return excess(
                Files.getPosixFilePermissions(file),
                (Integer) Files.getAttribute(file, OWNER_ID),
                (Integer) Files.getAttribute(SELF, OWNER_ID));
    }

    static Set<PosixFilePermission> excess(Set<PosixFilePermission> rights, int owner, int reader) {
        EnumSet<PosixFilePermission> excess = EnumSet.noneOf(PosixFilePermission.class);
        excess.addAll(rights);
        excess.removeAll(OWNERS);
        if (owner == ADMINISTRATOR && reader != ADMINISTRATOR) {
            excess.remove(PosixFilePermission.GROUP_READ);
        }
        return excess;
    }

    private static void force(Path fileOrFolder) throws IOException {
        try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
