package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterFolderTest {
    @TempDir Path temporary;

    @Test
    void isForItsOwnerAloneAlsoWhenItWasOpenToAllBefore() throws IOException {
        Path open = Files.createDirectory(temporary.resolve("data"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        ClusterFolder folder = new ClusterFolder(temporary);

        folder.make();
        folder.writePlan(Map.of("superpeers", 1));

        for (String part : new String[] {"data", "logs", "run"}) {
            assertThat(rights(temporary.resolve(part))).isEqualTo("rwx------");
        }
        assertThat(rights(temporary.resolve("cluster.json"))).isEqualTo("rw-------");
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
