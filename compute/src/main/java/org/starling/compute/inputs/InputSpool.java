package org.starling.compute.inputs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectRequests;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * The inputs of one script that are no files, brought into files: {@code .starling/inputs} in the
 * first folder that the script may use, where all peers see them, or copy them from. Each is
 * brought once, when a task first wants it, and all go when the script has ended. Results that go
 * to an object store are written there, too, and brought to it when their task has ended well. What
 * a process that was killed has left goes after a day. Owned by the script's runner, on its thread.
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
    private final Transfer.Patience patience;
    private final Backoff backoff;
    private final Map<String, Path> files = new LinkedHashMap<>();

    /** What names of folders and patterns in object stores stand for. */
    private final Map<ObjectName, List<ObjectName>> lists = new HashMap<>();

    /** Results that have not been brought to their place. */
    private final Map<ObjectName, Path> results = new LinkedHashMap<>();

    /** By the paths that results had. */
    private final Map<Path, ObjectName> written = new LinkedHashMap<>();

    private @Nullable Path own;
    private @Nullable ObjectStore store;
    private int folders;

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
                Transfer.Patience.USUAL,
                Backoff.usual());
    }

    InputSpool(
            Path folder,
            OtherInputs inputs,
            SpoolFile.Disk disk,
            Transfer.Patience patience,
            Backoff backoff) {
        this.parent = folder.resolve(".starling").resolve("inputs");
        this.inputs = inputs;
        this.disk = disk;
        this.patience = patience;
        this.backoff = backoff;
    }

    /**
     * The file that holds an input.
     *
     * @param name as {@link OtherInputs#isName} knows it
     * @throws InvalidInputException if it can't be had, or stands for several
     */
    public Path file(String name, Watch watch) {
        if (ObjectName.isName(name)) {
            ObjectName object = ObjectName.parse(name);
            if (object.isFolder() || object.isPattern()) {
                throw new InvalidInputException(
                        "\"%s\" may be several objects, and one file is read here; name that"
                                .formatted(name));
            }
            return file(object, watch);
        }
        return file(
                name,
                OtherInputs.isAddress(name)
                        ? named(OtherInputs.address(name).getPath())
                        : STANDARD_INPUT,
                watch);
    }

    private Path file(ObjectName object, Watch watch) {
        return file(object.toString(), named(object.key()), watch);
    }

    private Path file(String name, String called, Watch watch) {
        Path known = files.get(name);
        if (known != null) {
            return known;
        }
        inputs.check(name);
        Path file = newFolder().resolve(called);
        try {
            bring(name, file, watch);
            files.put(name, file);
            return file;
        } catch (IOException broken) {
            OldFolders.removeWhole(parentOf(file));
            throw FileTrouble.refusal(file, "written", broken);
        } catch (RuntimeException refused) {
            OldFolders.removeWhole(parentOf(file));
            throw refused;
        }
    }

    /**
     * The files that hold the inputs that a name stands for.
     *
     * @param most how many there may be
     * @throws InvalidInputException if they can't be had
     */
    public List<Path> files(String name, int most, Watch watch) {
        ObjectName object = ObjectName.isName(name) ? ObjectName.parse(name) : null;
        if (object == null || (!object.isFolder() && !object.isPattern())) {
            return List.of(file(name, watch));
        }
        inputs.check(name);
        List<ObjectName> listed = lists.get(object);
        if (listed == null) {
            listed = store(watch).list(object, most);
            lists.put(object, listed);
        }
        return listed.stream().map(one -> file(one, watch)).toList();
    }

    /**
     * Where to write a result that goes to an object store.
     *
     * @param name as {@link ObjectName} has it
     * @throws InvalidInputException if it may not go there
     */
    public Path result(String name) {
        ObjectName object = inputs.checkResult(name);
        Path known = results.get(object);
        if (known != null) {
            return known;
        }
        Path file = newFolder().resolve(named(object.key()));
        results.put(object, file);
        written.put(file, object);
        return file;
    }

    /**
     * Brings all results to their places; those that were not written are passed over.
     *
     * @throws InvalidInputException if that can't be
     */
    public void sendResults(Watch watch) {
        try {
            for (Map.Entry<ObjectName, Path> result : results.entrySet()) {
                send(result.getValue(), result.getKey(), watch);
            }
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(parentOf(folder()), "read", unreadable);
        } finally {
            dropResults();
        }
    }

    /** Removes the results that have not been brought to their places. */
    public void dropResults() {
        results.values().forEach(file -> OldFolders.removeWhole(parentOf(file)));
        results.clear();
    }

    /** With files that the task has put beside it, which have the same name and more. */
    private void send(Path file, ObjectName name, Watch watch) throws IOException {
        String own = String.valueOf(file.getFileName());
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> written =
                Files.newDirectoryStream(parentOf(file), one -> isNamed(one, own))) {
            written.forEach(all::add);
        }
        for (Path one : all) {
            String more = String.valueOf(one.getFileName()).substring(own.length());
            ObjectName whole = inputs.checkResult(name + more);
            new ObjectUpload(store(watch)).send(one, whole);
            files.remove(whole.toString());
            lists.clear();
        }
    }

    private static boolean isNamed(Path file, String begin) {
        return String.valueOf(file.getFileName()).startsWith(begin);
    }

    private void bring(String name, Path file, Watch watch) throws IOException {
        boolean isPiped = name.equals(OtherInputs.STANDARD_INPUT);
        if (isPiped) {
            leaveAtExit(file);
        }
        try (SpoolFile spool = new SpoolFile(isPiped ? "standard input" : name, file, disk)) {
            if (isPiped) {
                copy(Objects.requireNonNull(inputs.standardInput()), spool, watch);
            } else if (ObjectName.isName(name)) {
                store(watch).fetch(ObjectName.parse(name), spool);
            } else {
                try (Transfer transfer =
                        new Transfer(patience, watch, Transfer.Server.OF_ADDRESS)) {
                    new WebFetch(inputs, transfer).fetch(OtherInputs.address(name), spool);
                }
            }
        }
    }

    /** Asked as whom this process is now; all tasks of a script have the same watch. */
    private ObjectStore store(Watch watch) {
        ObjectStore known = store;
        if (known == null) {
            known =
                    new ObjectStore(
                            new ObjectRequests(inputs.account().get(), InstantSource.system()),
                            patience,
                            backoff,
                            watch);
            store = known;
        }
        return known;
    }

    private Path newFolder() {
        Path folder = folder().resolve(String.valueOf(folders++));
        try {
            Files.createDirectory(folder);
        } catch (IOException refused) {
            throw FileTrouble.refusal(folder, "written", refused);
        }
        return folder;
    }

    /** A sentence with the names that people gave, where it has those of the files. */
    public @Nullable String told(@Nullable String sentence) {
        if (sentence == null) {
            return null;
        }
        String told = sentence;
        for (Map.Entry<String, Path> file : files.entrySet()) {
            String name = file.getKey();
            boolean isPiped = name.equals(OtherInputs.STANDARD_INPUT);
            told = told.replace(file.getValue().toString(), isPiped ? "standard input" : name);
        }
        for (Map.Entry<Path, ObjectName> result : written.entrySet()) {
            told = told.replace(result.getKey().toString(), result.getValue().toString());
        }
        return told;
    }

    /** Whether a text may have names of files that {@link #told} changes. */
    public boolean hasResults() {
        return !written.isEmpty();
    }

    /** Removes all. */
    @Override
    public void close() {
        files.clear();
        results.clear();
        if (store != null) {
            store.close();
            store = null;
        }
        if (own != null) {
            OldFolders.removeWhole(own);
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
            own = made;
            return made;
        } catch (IOException refused) {
            throw FileTrouble.refusal(parent, "written", refused);
        }
    }

    /**
     * For a process that ends while it waits for what is piped into it, which hears of no
     * cancellation. Not for other inputs: what is noted once stays noted as long as the process
     * lives.
     */
    private static void leaveAtExit(Path file) {
        Path folder = parentOf(file);
        parentOf(folder).toFile().deleteOnExit();
        folder.toFile().deleteOnExit();
        file.toFile().deleteOnExit();
    }

    /** The last part of a path or a key, so that its ending tells the format as a file's does. */
    private static String named(@Nullable String whole) {
        String path = Objects.requireNonNullElse(whole, "");
        String last = path.substring(path.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_");
        String cut = last.substring(Math.max(0, last.length() - MAX_NAME)).replaceAll("^\\.+", "_");
        return cut.isEmpty() ? "page" : cut;
    }

    private static Path parentOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "a folder");
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
