package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentences for what the file system throws. */
final class FileTroubleTest {
    @TempDir Path folder;

    @Test
    void saysWhatTheFileSystemMeans() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path missing = folder.resolve("missing");

        assertThat(reason(() -> Files.size(missing))).isEqualTo(missing + " is not there");
        assertThat(reason(() -> Files.createFile(file))).isEqualTo(file + " is in the way");
        assertThat(reason(() -> Files.newDirectoryStream(file))).isEqualTo(file + " is no folder");
        assertThat(reason(() -> Files.createFile(file.resolve("below"))))
                .isEqualTo(file.resolve("below") + ": Not a directory");
    }

    @Test
    void saysWhatOnlyAnotherMachineShows() {
        assertThat(FileTrouble.reason(new AccessDeniedException("/a")))
                .isEqualTo("no right to use /a");
        assertThat(FileTrouble.reason(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
        assertThat(FileTrouble.reason(new FileSystemException(null, null, "Stale file handle")))
                .isEqualTo("Stale file handle");
        assertThat(FileTrouble.reason(new EOFException("Unexpected end of ZLIB input stream")))
                .isEqualTo("the data ends too early");
        assertThat(FileTrouble.reason(new IOException()))
                .isEqualTo("the system gives no reason (java.io.IOException)");
    }

    private static String reason(org.assertj.core.api.ThrowableAssert.ThrowingCallable touching) {
        return FileTrouble.reason(catchThrowableOfType(IOException.class, touching));
    }
}
