package org.starling.store.internal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.NativeMemory;

/**
 * Files of the operating system. Writes to files made here go past the page cache where the file
 * system can do that. Reads go through it (segments are read once or twice, from the front to the
 * end, which read-ahead is made for), and so does the one page that is written in a file of an
 * earlier run. Thread-safe: no state after construction.
 */
final class DiskFiles implements LogFiles {
    private static final Logger LOG = LogManager.getLogger(DiskFiles.class);
    private static final String DELETED_SUFFIX = ".deleted";
    private static final String REPLACED_SUFFIX = ".replaced";
    private static final String PROBE_NAME = "probe.tmp";

    private final Path root;

    /** Given to files that are written; empty where direct I/O does not work. */
    private final Optional<OpenOption> direct;

    /**
     * Makes the folder if need be, and finishes what was cut short: deletions, and replacements,
     * whose old folder comes back when the new one had not come into its place.
     *
     * @param root holds the folders of the zones
     * @param wantsDirect whether to try to write past the page cache
     */
    DiskFiles(Path root, boolean wantsDirect) throws IOException {
        this.root = root;
        Files.createDirectories(root);
        for (Path path : list(root)) {
            String name = path.getFileName().toString();
            if (name.endsWith(DELETED_SUFFIX)) {
                deleteAll(path);
            } else if (name.endsWith(REPLACED_SUFFIX)) {
                String place = name.substring(0, name.length() - REPLACED_SUFFIX.length());
                if (Files.exists(root.resolve(place))) {
                    deleteAll(path);
                } else {
                    Files.move(path, root.resolve(place), StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
        forceFolder(root);
        direct = wantsDirect ? directOption().filter(this::works) : Optional.empty();
        if (wantsDirect && direct.isEmpty()) {
            LOG.warn("{}: direct I/O does not work here, logs go through the page cache", root);
        }
    }

    @Override
    public List<String> folders() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path path : list(root)) {
            if (Files.isDirectory(path)) {
                names.add(path.getFileName().toString());
            }
        }
        return names;
    }

    @Override
    public List<String> files(String folder) throws IOException {
        List<String> names = new ArrayList<>();
        for (Path path : list(root.resolve(folder))) {
            names.add(path.getFileName().toString());
        }
        return names;
    }

    @Override
    public void makeFolder(String folder) throws IOException {
        Files.createDirectory(root.resolve(folder));
        forceFolder(root);
    }

    @Override
    public void deleteFolder(String folder) throws IOException {
        Path path = root.resolve(folder);
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path deleted = root.resolve(folder + DELETED_SUFFIX);
        if (Files.exists(deleted)) {
            deleteAll(deleted);
        }
        Files.move(path, deleted, StandardCopyOption.ATOMIC_MOVE);
        forceFolder(root);
        deleteAll(deleted);
    }

    @Override
    public void replaceFolder(String folder, String by) throws IOException {
        Path place = root.resolve(folder);
        Path replaced = root.resolve(folder + REPLACED_SUFFIX);
        if (Files.exists(replaced)) {
            deleteAll(replaced);
        }
        if (Files.exists(place)) {
            Files.move(place, replaced, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(root.resolve(by), place, StandardCopyOption.ATOMIC_MOVE);
        forceFolder(root);
        if (Files.exists(replaced)) {
            deleteAll(replaced);
        }
    }

    @Override
    public LogFile create(String folder, String name) throws IOException {
        Set<OpenOption> options = new HashSet<>();
        Collections.addAll(options, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        direct.ifPresent(options::add);
        Path path = root.resolve(folder);
        FileChannel channel = FileChannel.open(path.resolve(name), options);
        try {
            forceFolder(path);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return new DiskFile(channel);
    }

    @Override
    public LogFile open(String folder, String name) throws IOException {
        return new DiskFile(
                FileChannel.open(
                        root.resolve(folder).resolve(name),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE));
    }

    @Override
    public void delete(String folder, String name) throws IOException {
        Path path = root.resolve(folder);
        Files.delete(path.resolve(name));
        forceFolder(path);
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private static List<Path> list(Path folder) throws IOException {
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(paths::add);
        }
        Collections.sort(paths);
        return paths;
    }

    /** Whatever somebody has put there: also a file, or a folder with folders in it. */
    private static void deleteAll(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            for (Path inside : list(path)) {
                deleteAll(inside);
            }
        }
        Files.delete(path);
    }

    private static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * The JDK's own option. By name, because the compiler warns of its package in a way that cannot
     * be silenced.
     */
    private static Optional<OpenOption> directOption() {
        try {
            Class<?> type = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return Arrays.stream(type.getEnumConstants())
                    .map(OpenOption.class::cast)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .findFirst();
        } catch (ClassNotFoundException e) {
            LOG.debug("this JDK has no direct I/O", e);
            return Optional.empty();
        }
    }

    private boolean works(OpenOption option) {
        Path probe = root.resolve(PROBE_NAME);
        long page = NativeMemory.reserve(BlockLayout.ALIGNMENT);
        try (FileChannel channel =
                FileChannel.open(
                        probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE, option)) {
            new DiskFile(channel).write(0, page, BlockLayout.ALIGNMENT);
            Files.delete(probe);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("direct I/O refused", e);
            return false;
        } finally {
            NativeMemory.release(page, BlockLayout.ALIGNMENT);
        }
    }

    /** A channel; garbage only for each call, which moves whole blocks. */
    private static final class DiskFile implements LogFile {
        private final FileChannel channel;

        DiskFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void write(long at, long address, int bytes) throws IOException {
            ByteBuffer view = NativeMemory.segment(address, bytes).asByteBuffer();
            while (view.hasRemaining()) {
                channel.write(view, at + view.position());
            }
        }

        @Override
        public int read(long at, long address, int bytes) throws IOException {
            ByteBuffer view = NativeMemory.segment(address, bytes).asByteBuffer();
            int got = 0;
            while (got >= 0 && view.hasRemaining()) {
                got = channel.read(view, at + view.position());
            }
            return view.position();
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void truncate(long bytes) throws IOException {
            channel.truncate(bytes);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
