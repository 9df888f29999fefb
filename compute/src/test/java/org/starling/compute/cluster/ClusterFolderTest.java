package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;

@Timeout(60)
final class ClusterFolderTest {
    @TempDir Path temporary;

    @Test
    void isForItsOwnerAloneAlsoWhenItWasOpenToAllBefore() throws IOException {
        Path open = Files.createDirectory(temporary.resolve("data"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        ClusterFolder folder = new ClusterFolder(temporary);

        folder.make();
        folder.writePlan(Map.of("superpeers", 1));
        folder.makeToken();

        for (String part : new String[] {"data", "logs", "run"}) {
            assertThat(rights(temporary.resolve(part))).isEqualTo("rwx------");
        }
        assertThat(rights(temporary.resolve("cluster.json"))).isEqualTo("rw-------");
        assertThat(rights(temporary.resolve("token"))).isEqualTo("rw-------");
    }

    @Test
    void letsNobodyElseWriteIntoAFolderThatWasThereBefore() throws IOException {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));

        new ClusterFolder(temporary).make();

        assertThat(rights(temporary)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void keepsItsTokenAndRefusesOneThatOthersCanRead() throws IOException {
        ClusterFolder folder = new ClusterFolder(temporary);
        folder.make();
        folder.makeToken();
        String token = AccessToken.read(folder.tokenFile()).text();

        folder.makeToken();

        assertThat(AccessToken.read(folder.tokenFile()).text()).isEqualTo(token);
        Files.setPosixFilePermissions(
                folder.tokenFile(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(folder::makeToken)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("can be read or changed by others (rw-r--r--)")
                .hasMessageNotContaining(token);
    }

    @Test
    void refusesATokenThatIsNoneWithoutRepeatingIt() throws IOException {
        Path file = temporary.resolve("token");
        Files.writeString(file, "hunter2");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertThatThrownBy(() -> AccessToken.read(file))
                .hasMessage(
                        file
                                + " holds no token of a cluster: expected \"slg_\" and 64"
                                + " hexadecimal digits");
        assertThatThrownBy(() -> AccessToken.read(temporary.resolve("x")))
                .hasMessage("there is no token " + temporary.resolve("x"));
        assertThat(AccessToken.fresh()).hasToString("a token");
    }

    /** In a container there may be nobody who takes note that a process has ended. */
    @Test
    void takesAProcessThatNobodyHasBuriedForDead() throws Exception {
        Process shell =
                new ProcessBuilder("sh", "-c", "sleep 0.1 & echo $!; exec sleep 30").start();
        try (BufferedReader said = shell.inputReader()) {
            ProcessHandle ended = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            ClusterFolder folder = new ClusterFolder(temporary);
            folder.make();
            folder.writePid("peer-0", ended);

            while (ClusterFolder.isAlive(ended)) {
                Thread.onSpinWait();
            }

            assertThat(ended.isAlive()).as("nobody has buried it").isTrue();
            assertThat(folder.process("peer-0")).isEmpty();
            assertThat(folder.died("peer-0")).hasValue(ended.pid());
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void takesWhatSomebodyIsStoppingForNoDeath() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ClusterFolder folder = new ClusterFolder(temporary);
        folder.make();
        folder.writePid("peer-0", ended.toHandle());
        assertThat(ended.waitFor()).isZero();

        try (FileChannel _ = folder.lock("peer-0")) {
            assertThat(folder.diedOfItself("peer-0")).isEmpty();
        }

        assertThat(folder.diedOfItself("peer-0")).hasValue(ended.pid());
        folder.removePid("peer-0");
        assertThat(folder.diedOfItself("peer-0")).isEmpty();
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
