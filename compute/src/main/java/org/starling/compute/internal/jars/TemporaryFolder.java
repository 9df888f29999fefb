package org.starling.compute.internal.jars;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.inputs.OldFolders;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * A folder for jars, or for results, of this process, among the system's temporary ones, which
 * nobody else can look into. Its name bears the process id: what a process that was killed has left
 * is removed by the next one that makes such a folder. Used by one thread at a time.
 */
public final class TemporaryFolder implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(TemporaryFolder.class);

    /** Of folders with jars. */
    static final String JARS = "starling-jars-";

    /** Of folders with results on their way into the store. */
    public static final String RESULTS = "starling-results-";

    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /**
     * A new folder.
     *
     * @param prefix of its name
     * @throws InvalidInputException if there is no room for one
     */
    public static TemporaryFolder make(String prefix) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        sweep(temporary, prefix);
        try {
            String name = prefix + ProcessHandle.current().pid() + "-";
            return new TemporaryFolder(Files.createTempDirectory(temporary, name));
        } catch (IOException full) {
            throw FileTrouble.refusal(temporary, "written", full);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        OldFolders.removeWhole(path);
    }

    /** Removes all that is in it. */
    public void clear() {
        try (Stream<Path> all = Files.list(path)) {
            all.toList().forEach(OldFolders::removeWhole);
        } catch (IOException left) {
            LOG.info("{} is left full: {}", path, left.getMessage());
        }
    }

    private static void sweep(Path temporary, String prefix) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(temporary, prefix + "*")) {
            for (Path folder : left) {
                String name = String.valueOf(folder.getFileName()).substring(prefix.length());
                String pid = name.replaceFirst("-.*", "");
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()
                        && Files.isWritable(folder)) {
                    OldFolders.removeWhole(folder);
                }
            }
        } catch (IOException unreadable) {
            LOG.info("{} can't be looked at: {}", temporary, unreadable.getMessage());
        }
    }
}
