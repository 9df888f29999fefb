package org.starling.compute.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * The last restarts of a cluster's supervisor, in a file: the supervisor writes it, whoever shows
 * the cluster reads it. Any thread.
 */
final class RestartNotes {
    /** Older ones are in the supervisor's log. */
    private static final int MAX_NOTES = 16;

    private final Path file;

    RestartNotes(Path file) {
        this.file = file;
    }

    synchronized void add(Restart restart) {
        List<Restart> all = new ArrayList<>(read());
        all.add(restart);
        List<Restart> last = all.subList(Math.max(0, all.size() - MAX_NOTES), all.size());
        ClusterFolder.write(
                file, JsonText.write(last.stream().map(RecordJson.PLAIN::tree).toList()) + "\n");
    }

    /** The last ones, the oldest first. */
    List<Restart> read() {
        try {
            return RecordJson.PLAIN.list(Restart.class, JsonText.parse(Files.readString(file)));
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException | InvalidInputException | IllegalArgumentException broken) {
            throw new InvalidInputException(
                    file + " can't be read: " + broken.getMessage(), broken);
        }
    }

    void clear() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException broken) {
            throw FileTrouble.refusal(file, "removed", broken);
        }
    }
}
