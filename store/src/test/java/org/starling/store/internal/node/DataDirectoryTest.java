package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.Role;
import org.starling.store.StoreException;

/** What a data directory knows of its node. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DataDirectoryTest {
    @TempDir private Path root;

    @Test
    void remembersClusterAndNode() {
        Path path = root.resolve("new/one");
        try (DataDirectory fresh = DataDirectory.open(path, Role.PEER)) {
            assertThat(fresh.clusterId()).isZero();
            assertThat(fresh.node()).isEqualTo(DataDirectory.UNUSED);
            fresh.use(0xabcL, 7, 0);
            fresh.use(0xabcL, 9, 3);
        }

        try (DataDirectory again = DataDirectory.open(path, Role.PEER)) {
            assertThat(again.clusterId()).isEqualTo(0xabcL);
            assertThat(again.node()).isEqualTo(9);
            assertThatThrownBy(() -> again.use(0xdefL, 1, 0))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("belongs to cluster abc")
                    .hasMessageContaining("this is def");
        }
    }

    @Test
    void refusesASecondNodeAndAnotherRole() {
        try (DataDirectory first = DataDirectory.open(root, Role.PEER)) {
            first.use(1, 1, 0);
            assertThatThrownBy(() -> DataDirectory.open(root, Role.PEER))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("used by another node");
        }

        assertThatThrownBy(() -> DataDirectory.open(root, Role.SUPERPEER))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is of a peer");
        DataDirectory.open(root, Role.PEER).close();
    }

    @Test
    void refusesWhatIsNoDirectoryAndWhatItCannotRead() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "x");
        Path other = Files.createDirectory(root.resolve("other"));
        Files.writeString(other.resolve("identity"), "something else");

        assertThatThrownBy(() -> DataDirectory.open(file, Role.PEER))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> DataDirectory.open(other, Role.PEER))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("of another version or damaged");
    }

    @Test
    void saysWhatToDoWithAnIdentityThatIsDamaged() throws IOException {
        try (DataDirectory directory = DataDirectory.open(root, Role.PEER)) {
            directory.use(7, 5, 1);
        }
        Path file = root.resolve("identity");
        byte[] whole = Files.readAllBytes(file);
        byte[] flipped = whole.clone();
        flipped[whole.length - 4] = (byte) 0xff;
        for (byte[] damaged :
                List.of(
                        new byte[0],
                        new byte[whole.length],
                        Arrays.copyOf(whole, whole.length / 2),
                        flipped)) {
            Files.write(file, damaged);

            assertThatThrownBy(() -> DataDirectory.open(root, Role.PEER))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll(
                            file.toString(), "damaged", "put it back from a copy, or move");
        }
    }

    @Test
    void saysWhatToDoWithACountThatIsDamaged() throws IOException {
        try (DataDirectory directory = DataDirectory.open(root, Role.SUPERPEER)) {
            Files.writeString(root.resolve("starts"), "6*");

            assertThatThrownBy(directory::countStart)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll(
                            "starts", "damaged", "6*", "put it back from a copy, or move");
        }
    }
}
