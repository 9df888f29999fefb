package org.starling.compute.inputs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * The inputs of one script that are no files, brought into files: {@code .starling/inputs} in the
 * first folder that the script may use, where all peers see them, or copy them from. Each is
 * brought once, when a task first wants it, and all go when the script has ended. What a process
 * that was killed has left goes after a day. Owned by the script's runner, on its thread.
 */
public final class InputSpool implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(InputSpool.class);
    private static final Duration LIFE = Duration.ofDays(1);
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int MAX_NAME = 100;
    private static final String STANDARD_INPUT = "standard-input";

    private final Path parent;
    private final OtherInputs inputs;
    private final SpoolFile.Disk disk;
    private final WebFetch.Patience patience;
    private final Map<String, Path> files = new LinkedHashMap<>();
    private @Nullable Path own;

    /** Who watches while an input comes. */
    public interface Watch {
        /** Throws if the job was cancelled. */
        void checkCancelled();

        /** So many bytes have come; of 0 if that is not known. */
        void progress(String name, long bytes, long of);
    }

    /**
     * Nothing is made yet.
     *
     * @param folder that the files go under
     */
    public InputSpool(Path folder, OtherInputs inputs) {
        this(
                folder,
                inputs,
                file -> Files.getFileStore(parentOf(file)).getUsableSpace(),
                WebFetch.Patience.USUAL);
    }

    InputSpool(Path folder, OtherInputs inputs, SpoolFile.Disk disk, WebFetch.Patience patience) {
        this.parent = folder.resolve(".starling").resolve("inputs");
        this.inputs = inputs;
        this.disk = disk;
        this.patience = patience;
    }

    /**
     * The file that holds an input.
     *
     * @param name as {@link OtherInputs#isName} knows it
     * @throws InvalidInputException if it can't be had
     */
    public Path file(String name, Watch watch) {
        Path known = files.get(name);
        if (known != null) {
            return known;
        }
        inputs.check(name);
        Path folder = folder();
        boolean isAddress = OtherInputs.isAddress(name);
        Path file =
                folder.resolve(String.valueOf(files.size()))
                        .resolve(isAddress ? named(OtherInputs.address(name)) : STANDARD_INPUT);
        try {
            Files.createDirectory(parentOf(file));
            leaveAtExit(parentOf(file));
            leaveAtExit(file);
            String told = isAddress ? name : "standard input";
            try (SpoolFile spool = new SpoolFile(told, file, disk)) {
                if (isAddress) {
                    new WebFetch(inputs, patience, watch).fetch(OtherInputs.address(name), spool);
                } else {
                    copy(Objects.requireNonNull(inputs.standardInput()), spool, watch);
                }
            }
            files.put(name, file);
            return file;
        } catch (IOException broken) {
            remove(parentOf(file));
            throw FileTrouble.refusal(file, "written", broken);
        } catch (RuntimeException refused) {
            remove(parentOf(file));
            throw refused;
        }
    }

    /** A sentence with the names that people gave, where it has those of the files. */
    public @Nullable String told(@Nullable String sentence) {
        String told = sentence;
        for (Map.Entry<String, Path> file : files.entrySet()) {
            String name = file.getKey();
            told =
                    told == null
                            ? null
                            : told.replace(
                                    file.getValue().toString(),
                                    OtherInputs.isAddress(name) ? name : "standard input");
        }
        return told;
    }

    /** Removes all. */
    @Override
    public void close() {
        files.clear();
        if (own != null) {
            remove(own);
            own = null;
            removeEmpty(parent);
            removeEmpty(parentOf(parent));
        }
    }

    private static void copy(InputStream from, SpoolFile into, Watch watch) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        for (int read = from.read(block); read >= 0; read = from.read(block)) {
            watch.checkCancelled();
            into.write(ByteBuffer.wrap(block, 0, read));
            watch.progress("reading standard input", into.bytes(), 0);
        }
        if (into.bytes() == 0) {
            throw new InvalidInputException(
                    "standard input is empty; pipe a file into the command");
        }
    }

    private Path folder() {
        Path made = own;
        if (made != null) {
            return made;
        }
        try {
            Files.createDirectories(parent);
            OldFolders.remove(parent, LIFE);
            made =
                    Files.createTempDirectory(
                            parent,
                            "",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
            leaveAtExit(made);
            own = made;
            return made;
        } catch (IOException refused) {
            throw FileTrouble.refusal(parent, "written", refused);
        }
    }

    /** For a process that ends by an interruption; what is full then is not removed. */
    private static void leaveAtExit(Path path) {
        path.toFile().deleteOnExit();
    }

    /** The last part of an address' path, so that its ending tells the format as a file's does. */
    private static String named(URI address) {
        String path = Objects.requireNonNullElse(address.getPath(), "");
        String last = path.substring(path.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_");
        String cut = last.substring(Math.max(0, last.length() - MAX_NAME)).replaceAll("^\\.+", "_");
        return cut.isEmpty() ? "page" : cut;
    }

    private static Path parentOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "a folder");
    }

    /** Removes a folder of files and of folders of files. */
    private static void remove(Path folder) {
        try {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
                for (Path each : inside) {
                    if (Files.isDirectory(each)) {
                        remove(each);
                    } else {
                        Files.deleteIfExists(each);
                    }
                }
            }
            Files.deleteIfExists(folder);
        } catch (NoSuchFileException gone) {
            LOG.debug("{} is gone already", folder);
        } catch (IOException left) {
            LOG.warn("{} is left behind: {}", folder, left.getMessage());
        }
    }

    private static void removeEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException used) {
            LOG.debug("{} is used by others", folder);
        } catch (IOException left) {
            LOG.info("{} is left behind: {}", folder, left.getMessage());
        }
    }
}
