package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {

    @TempDir Path folder;

    @Test
    void isMadeOnceAndForItsOwnerAlone() throws IOException {
        Path file = folder.resolve("secret");

        ClusterSecret made = ClusterSecret.in(file);

        assertThat(ClusterSecret.in(file)).isEqualTo(made).isNotEqualTo(ClusterSecret.fresh());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(made.clusterId()).isPositive();
        assertThat(ClusterSecret.of(made.text())).isEqualTo(made);
    }

    @Test
    void isRefusedWhenOthersCanReadIt() throws IOException {
        Path file = folder.resolve("secret");
        ClusterSecret _ = ClusterSecret.in(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> ClusterSecret.in(file))
                .isInstanceOf(NetException.class)
                .hasMessageContaining(file + " can be read or changed by others (rw-r-----)")
                .hasMessageContaining("chmod 600");
    }

    @Test
    void isRefusedWhenDamagedWithoutBeingSaid() throws IOException {
        Path file = folder.resolve("secret");
        String text = ClusterSecret.in(file).text();
        Files.writeString(file, text.substring(1));

        assertThatThrownBy(() -> ClusterSecret.in(file))
                .hasMessageContaining(file + " can't be used: a cluster's secret is 64")
                .message()
                .doesNotContain(text.substring(10, 20));
    }

    @Test
    void standsInNoTextThatIsMadeOfIt() {
        ClusterSecret secret = ClusterSecret.fresh();

        assertThat(NetConfig.defaults().withSecret(secret).toString())
                .contains(Long.toHexString(secret.clusterId()))
                .doesNotContain(secret.text());
    }
}
