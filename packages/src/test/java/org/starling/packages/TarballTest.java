package org.starling.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the system's {@code tar} makes of our archives. */
final class TarballTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final String LONG = "long/".repeat(30) + "name";

    @TempDir Path folder;

    @Test
    void keepsBytesRightsLinksAndLongNames() throws Exception {
        Path file = folder.resolve("a.tar.gz");

        Tarball.write(file, "top", content(0), TIME);

        Path out = Files.createDirectory(folder.resolve("out"));
        Ended tar =
                Ended.run(
                        out,
                        Map.of("PATH", System.getenv("PATH")),
                        List.of("tar", "xzf", file.toString()));
        assertThat(tar.said()).isEmpty();
        Path top = out.resolve("top/content");
        assertThat(top.resolve("program")).hasContent("run").isExecutable();
        assertThat(Files.getPosixFilePermissions(top.resolve("text")))
                .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(Files.readSymbolicLink(top.resolve("link"))).isEqualTo(Path.of("text"));
        assertThat(top.resolve(LONG)).hasContent("deep");
        assertThat(Files.getLastModifiedTime(top.resolve("text")).toInstant()).isEqualTo(TIME);
    }

    @Test
    void hasTheSameBytesWheneverItsFilesWereMade() throws Exception {
        Path first = folder.resolve("first.tar.gz");
        Path second = folder.resolve("second.tar.gz");

        Tarball.write(first, "top", content(1), TIME);
        Tarball.write(second, "top", content(2), TIME);

        assertThat(first).hasSameBinaryContentAs(second);
        assertThat(Tarball.sentence(first)).contains("first.tar.gz: 0.0 MiB, sha256 ");
    }

    private List<Packed> content(int time) throws IOException {
        Path source = Files.createDirectory(folder.resolve("content" + time));
        Files.writeString(source.resolve("program"), "run");
        Files.setPosixFilePermissions(
                source.resolve("program"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.writeString(source.resolve("text"), "read");
        Files.setPosixFilePermissions(
                source.resolve("text"), PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(source.resolve("link"), Path.of("text"));
        Files.createDirectories(source.resolve(LONG).getParent());
        Files.writeString(source.resolve(LONG), "deep");
        List<Packed> content = new ArrayList<>(Packed.folder("content", source));
        for (Packed part : content) {
            if (!part.isLink()) {
                Files.setLastModifiedTime(part.source(), FileTime.fromMillis(time));
            }
        }
        return content;
    }
}
