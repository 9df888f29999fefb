package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders of data, by what the JVM tells of what it has forced to the disk. */
@Timeout(60)
final class DataFolderTest {
    @TempDir Path root;

    @Test
    void hasTheFoldersThatItMakesOnTheDisk() throws Exception {
        Path wanted = root.resolve("a/b/c");
        List<Path> forced;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();

            DataFolder.open(wanted).close();

            recording.stop();
            Path file = root.resolve("events.jfr");
            recording.dump(file);
            forced =
                    RecordingFile.readAllEvents(file).stream()
                            .map(DataFolderTest::path)
                            .filter(path -> path.startsWith(root))
                            .toList();
        }

        assertThat(wanted).isDirectory();
        assertThat(forced).containsExactly(root, root.resolve("a"), root.resolve("a/b"));
    }

    private static Path path(RecordedEvent event) {
        return Path.of(Objects.requireNonNull(event.getString("path")));
    }
}
