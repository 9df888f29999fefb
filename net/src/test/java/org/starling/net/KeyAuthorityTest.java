package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.internal.tls.PemFile;

/** An authority in a folder: what it issues, and how another one takes its place. */
@Timeout(20)
final class KeyAuthorityTest {
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir Path folder;
    private Path host = Path.of("");
    private final Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final InstantSource clock = InstantSource.fixed(now);

    @BeforeEach
    void makeAFolderForAHost() throws Exception {
        host = Files.createDirectory(folder.resolve("alpha"));
    }

    @Test
    void issuesForNamesAddressesAndNodes() throws Exception {
        List<String> names =
                List.of("alpha", "alpha.example.org", "10.0.0.1", "fd00:0:0:0:0:0:0:1");

        KeyAuthority.make(folder, clock);
        KeyAuthority authority = KeyAuthority.open(folder, clock);
        TlsOptions files =
                authority.issue(host, "node", with(names, "nodes-0-65535.starling"), YEAR);

        X509Certificate made = PemFile.certificates(files.certificate()).getFirst();
        X509Certificate signer = PemFile.certificates(files.authority()).getFirst();
        made.verify(signer.getPublicKey());
        assertThat(made.getSubjectAlternativeNames())
                .extracting(typed -> typed.get(0) + " " + typed.get(1))
                .containsExactly(
                        "2 alpha",
                        "2 alpha.example.org",
                        "7 10.0.0.1",
                        "7 fd00:0:0:0:0:0:0:1",
                        "2 nodes-0-65535.starling");
        assertThat(made.getNotBefore()).isEqualTo(Date.from(now.minus(Duration.ofHours(1))));
        assertThat(made.getNotAfter()).isEqualTo(Date.from(now.plus(YEAR)));
        assertThat(KeyAuthority.names(files.certificate()))
                .isEqualTo(with(names, "nodes-0-65535.starling"));
        assertThat(authority.hasSigned(files.certificate())).isTrue();
    }

    @Test
    void letsNobodyElseReadAKey() throws Exception {
        TlsOptions files =
                KeyAuthority.make(folder, clock).issue(host, "node", List.of("alpha"), YEAR);

        for (Path key : List.of(files.key(), folder.resolve("authority.key.pem"))) {
            assertThat(Files.getPosixFilePermissions(key))
                    .as("%s", key)
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(host.resolve("authority.key.pem")).doesNotExist();
    }

    @Test
    void outlivesNothingThatItSigns() throws Exception {
        KeyAuthority authority = KeyAuthority.make(folder, clock);

        TlsOptions files =
                authority.issue(host, "node", List.of("alpha"), Duration.ofDays(100_000));

        assertThat(PemFile.certificates(files.certificate()).getFirst().getNotAfter())
                .isEqualTo(PemFile.certificates(files.authority()).getFirst().getNotAfter());
    }

    @Test
    void trustsTheEarlierAuthorityUntilItIsForgotten() throws Exception {
        KeyAuthority authority = KeyAuthority.make(folder, clock);
        TlsOptions files = authority.issue(host, "node", List.of("alpha"), YEAR);
        X509Certificate first = PemFile.certificates(files.authority()).getFirst();

        authority.renew();
        authority = KeyAuthority.open(folder, clock);
        authority.tell(host);

        assertThat(authority.count()).isEqualTo(2);
        assertThat(authority.hasSigned(files.certificate())).isFalse();
        List<X509Certificate> trusted = PemFile.certificates(files.authority());
        assertThat(trusted).hasSize(2).last().isEqualTo(first);

        authority.issue(host, "node", List.of("alpha"), YEAR);
        assertThat(authority.hasSigned(files.certificate())).isTrue();
        PemFile.certificates(files.certificate())
                .getFirst()
                .verify(trusted.getFirst().getPublicKey());

        assertThat(authority.forget()).isEqualTo(1);
        authority = KeyAuthority.open(folder, clock);
        authority.tell(host);
        assertThat(PemFile.certificates(files.authority())).containsExactly(trusted.getFirst());
    }

    /** The files of a new authority are written one after the other. */
    @Test
    void goesOnWithTheEarlierAuthorityWhereAnotherOneWasMadeByHalf() throws Exception {
        KeyAuthority authority = KeyAuthority.make(folder, clock);
        TlsOptions files = authority.issue(host, "node", List.of("alpha"), YEAR);
        byte[] key = Files.readAllBytes(folder.resolve("authority.key.pem"));
        authority.renew();
        Files.write(folder.resolve("authority.key.pem"), key);

        authority = KeyAuthority.open(folder, clock);

        assertThat(authority.hasSigned(files.certificate())).isTrue();
        assertThat(authority.forget()).isEqualTo(1);
        Path other = Files.createDirectory(folder.resolve("other"));
        assertThat(KeyAuthority.make(other, clock).count()).isEqualTo(1);
        Files.copy(
                other.resolve("authority.key.pem"),
                folder.resolve("authority.key.pem"),
                StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> KeyAuthority.open(folder, clock))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("is the key of none in");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(KeyAuthority.isIn(folder)).isFalse();
        assertThatThrownBy(() -> KeyAuthority.open(folder, clock))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("there is no file " + folder.resolve("authority.crt.pem"));
        assertThatThrownBy(() -> KeyAuthority.names(folder.resolve("x")))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("there is no file");
    }

    private static List<String> with(List<String> names, String one) {
        List<String> all = new java.util.ArrayList<>(names);
        all.add(one);
        return all;
    }
}
