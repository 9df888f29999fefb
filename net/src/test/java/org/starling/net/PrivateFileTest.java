package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrivateFileTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "rw-------, 1000, 1000, true",
        "r--------, 0, 0, true",
        "rwx------, 1000, 1000, true",
        "r-xr-----, 0, 65532, true",
        "rw-r-----, 1000, 1000, false",
        "rw-r-----, 0, 0, false",
        "r--r-----, 0, 65532, true",
        "rw-r-----, 0, 65532, true",
        "rw-rw----, 0, 65532, false",
        "rw-r--r--, 0, 65532, false",
        "r--r-----, 1000, 65532, false",
    })
    void isReadByItsOwnerOrByAGroupThatTheAdministratorHasChosen(
            String rights, int owner, int reader, boolean isPrivate) {
        Set<PosixFilePermission> excess =
                PrivateFile.excess(PosixFilePermissions.fromString(rights), owner, reader);

        assertThat(excess.isEmpty()).isEqualTo(isPrivate);
    }

    @Test
    void writesFilesThatAre() throws IOException {
        Path file = folder.resolve("secret");

        PrivateFile.write(file, "text");

        assertThat(PrivateFile.excess(file)).isEmpty();
        assertThat(Files.readString(file)).isEqualTo("text");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));
        assertThat(PrivateFile.excess(file)).containsExactly(PosixFilePermission.OTHERS_READ);
    }
}
