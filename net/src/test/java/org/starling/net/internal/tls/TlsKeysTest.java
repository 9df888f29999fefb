package org.starling.net.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.TlsAuthority;
import org.starling.net.TlsOptions;
import org.starling.net.TransportUnavailableException;

/** Files that can be used are, whoever made them; of the others it is said what is wrong. */
@Timeout(60)
class TlsKeysTest {

    @TempDir private Path folder;
    private TlsOptions files;

    @BeforeEach
    void issue() {
        files = new TlsAuthority(folder.resolve("keys")).issue("peer", 1, 9);
    }

    @Test
    void demandsTls13AndACertificateOfTheOtherEnd() {
        SSLEngine server = new TlsKeys(files).engine(false);

        assertThat(server.getEnabledProtocols()).containsExactly("TLSv1.3");
        assertThat(server.getNeedClientAuth()).isTrue();
        assertThat(new TlsKeys(files).engine(true).getUseClientMode()).isTrue();
    }

    @Test
    void namesTheFileThatIsNotThere() throws IOException {
        Files.delete(files.key());

        refuses("there is no file " + files.key() + " that can be read");
    }

    @Test
    void namesTheFileThatHoldsNothing() throws IOException {
        Files.writeString(files.authority(), "hello");

        refuses(files.authority() + " holds no certificate in PEM");
    }

    @Test
    void namesTheFileThatIsTooLarge() throws IOException {
        Files.write(files.certificate(), new byte[(1 << 20) + 1]);

        refuses(files.certificate() + " is too large (at most 1048576 bytes)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
    void saysWhatFormTheKeyMustHave(String label) throws IOException {
        Files.writeString(
                files.key(), "-----BEGIN " + label + "-----\nAAAA\n-----END " + label + "-----\n");

        refuses(
                files.key()
                        + " holds a key in the form \""
                        + label
                        + "\"; expected PKCS#8 without a password, as \"openssl pkcs8 -topk8"
                        + " -nocrypt\" writes it");
    }

    @Test
    void noticesAKeyOfAnotherCertificate() throws IOException {
        TlsOptions other = new TlsAuthority(folder.resolve("others")).issue("peer", 1, 9);
        Files.copy(other.key(), files.key(), StandardCopyOption.REPLACE_EXISTING);

        refuses(files.key() + " is not the key of " + files.certificate());
    }

    @Test
    void noticesACertificateThatHasExpired() throws Exception {
        Instant end = Instant.parse("2002-01-01T00:00:00Z");
        CertificateMaker maker = new CertificateMaker("x", end.minus(Duration.ofDays(1)), end);
        KeyPair keys = CertificateMaker.freshKeys();
        Files.writeString(
                files.certificate(),
                PemFile.certificate(maker.sign("x", keys.getPublic(), List.of(), end)));
        Files.writeString(files.key(), PemFile.key(keys.getPrivate()));

        refuses(files.certificate() + " has expired on 2002-01-01T00:00:00Z");
    }

    @Test
    void readsDamagedFilesWithoutHarm() throws IOException {
        byte[] good = Files.readAllBytes(files.certificate());
        for (int cut = 0; cut < good.length - 30; cut += 37) {
            byte[] bad = good.clone();
            bad[cut] ^= 1;
            Files.write(files.certificate(), bad);
            try {
                assertThat(new TlsKeys(files)).isNotNull(); // what changed doesn't matter here
            } catch (TransportUnavailableException e) {
                assertThat(e).hasMessageStartingWith("TLS can't be used: ");
            }
        }
    }

    /** Other tools than this project's make the keys of real clusters. */
    @ParameterizedTest
    @ValueSource(strings = "EC")
    void takesKeysThatKeytoolHasMade(String algorithm) throws Exception {
        Path store = folder.resolve("store.p12");
        keytool(store, "-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=ca");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=node",
                "-signer",
                "ca",
                "-ext",
                "SAN=dns:node-4.starling");
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            made.load(in, "changeit".toCharArray());
        }
        Key key = made.getKey("node", "changeit".toCharArray());
        Certificate certificate = made.getCertificate("node");
        Files.writeString(files.key(), PemFile.key((PrivateKey) Objects.requireNonNull(key)));
        Files.writeString(files.certificate(), PemFile.certificate(certificate.getEncoded()));
        Files.writeString(
                files.authority(), PemFile.certificate(made.getCertificate("ca").getEncoded()));

        assertThat(new TlsKeys(files).engine(true)).isNotNull();
        assertThat(NodeNames.covers(PemFile.certificates(files.certificate()).getFirst(), 4))
                .isTrue();
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"RSA", "Ed25519"})
    void takesKeysThatKeytoolHasMadeInMoreCases(String algorithm) throws Exception {
        takesKeysThatKeytoolHasMade(algorithm);
    }

    private void refuses(String sentence) {
        assertThatThrownBy(() -> new TlsKeys(files))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessage("TLS can't be used: " + sentence);
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1"); // its JVM lives for one call
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
