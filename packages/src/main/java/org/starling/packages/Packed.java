package org.starling.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that a package holds: a file, a folder or a symbolic link.
 *
 * @param name its place in the package, with {@code /} between folders
 * @param source what it is a copy of
 * @param mode rights, as {@code chmod} has them
 */
record Packed(String name, Path source, int mode) {
    private static final int RUN = 0755;
    private static final int READ = 0644;
    private static final int LINK = 0777;

    /** A copy of a file; whoever may read it may run it if its owner may. */
    static Packed of(String name, Path source) {
        if (Files.isSymbolicLink(source)) {
            return new Packed(name, source, LINK);
        }
        return new Packed(name, source, Files.isExecutable(source) ? RUN : READ);
    }

    /** A copy of a folder with all that it holds, in the order of names. */
    static List<Packed> folder(String name, Path source) throws IOException {
        List<Packed> all = new ArrayList<>(List.of(of(name, source)));
        for (Path file : Folders.below(source)) {
            all.add(of(name + "/" + source.relativize(file), file));
        }
        return all;
    }

    boolean isFolder() {
        return Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS);
    }

    boolean isLink() {
        return Files.isSymbolicLink(source);
    }
}
