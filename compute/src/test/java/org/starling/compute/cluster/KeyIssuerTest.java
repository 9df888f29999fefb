package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;
import org.starling.net.KeyAuthority;
import org.starling.net.TlsAuthority;

/** Folders of hosts and clients: what is in them, and how they get other keys. */
@Timeout(30)
final class KeyIssuerTest {
    @TempDir Path temporary;
    private Path folder = Path.of("");

    @BeforeEach
    void init() {
        folder = temporary.resolve("keys");
        KeyFolder.make(folder);
        KeyFolder.makeAuthority(folder);
    }

    private KeyIssuer issuer() {
        return new KeyIssuer(folder, InstantSource.system());
    }

    @Test
    void givesAHostAllThatItNeedsAndNothingMore() throws Exception {
        Path host =
                issuer().issue(
                                List.of("Alpha", "10.0.0.1", "[fd00::1]"),
                                0,
                                2,
                                KeyIssuer.USUAL_VALIDITY);

        assertThat(host).isEqualTo(folder.resolve("alpha"));
        try (var files = Files.list(host)) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted())
                    .containsExactly(
                            "authority.crt.pem", "node.crt.pem", "node.key.pem", "secret", "token");
        }
        assertThat(Files.getPosixFilePermissions(host))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        for (String file : List.of("node.key.pem", "secret", "token")) {
            assertThat(Files.getPosixFilePermissions(host.resolve(file)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(KeyAuthority.names(host.resolve("node.crt.pem")))
                .containsExactly("alpha", "10.0.0.1", "fd00:0:0:0:0:0:0:1", "nodes-0-2.starling");
        KeyFolder there = new KeyFolder(host, Map.of());
        assertThat(there.tls()).contains(new NodeTls.Files(TlsAuthority.files(host, "node")));
        assertThat(there.secret().clusterId())
                .isEqualTo(new KeyFolder(folder, Map.of()).secret().clusterId());
    }

    @Test
    void givesAClientNothingOfTheCluster() throws Exception {
        Path client = issuer().issueToClient("ann", KeyIssuer.USUAL_VALIDITY);

        try (var files = Files.list(client)) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted())
                    .containsExactly("authority.crt.pem", "client.crt.pem", "client.key.pem");
        }
        assertThat(KeyAuthority.names(client.resolve("client.crt.pem"))).containsExactly("ann");
        assertThat(new KeyFolder(client, Map.of()).tls()).isEmpty();
    }

    @Test
    void makesKeysAnewForTheSameNames() throws Exception {
        Path host = issuer().issue(List.of("alpha"), 7, 7, KeyIssuer.USUAL_VALIDITY);
        Path client = issuer().issueToClient("ann", KeyIssuer.USUAL_VALIDITY);
        byte[] key = Files.readAllBytes(host.resolve("node.key.pem"));

        assertThat(issuer().rotate(KeyIssuer.USUAL_VALIDITY)).containsExactly("alpha", "ann");

        assertThat(Files.readAllBytes(host.resolve("node.key.pem"))).isNotEqualTo(key);
        assertThat(KeyAuthority.names(host.resolve("node.crt.pem")))
                .containsExactly("alpha", "node-7.starling");
        assertThat(KeyAuthority.names(client.resolve("client.crt.pem"))).containsExactly("ann");
    }

    @Test
    void exchangesTheAuthorityInThreeStepsAndInNoOtherOrder() throws Exception {
        Path host = issuer().issue(List.of("alpha"), 0, 9, KeyIssuer.USUAL_VALIDITY);
        Path trusted = host.resolve("authority.crt.pem");
        assertThatThrownBy(() -> issuer().dropEarlierAuthorities())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no earlier authority");

        assertThat(issuer().renewAuthority()).containsExactly("alpha");
        assertThat(Files.readString(trusted).split("BEGIN CERT", -1)).hasSize(3);
        assertThatThrownBy(() -> issuer().renewAuthority())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("--drop-old");
        assertThatThrownBy(() -> issuer().dropEarlierAuthorities())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(host.resolve("node.crt.pem") + " is of an earlier authority");

        assertThat(issuer().rotate(KeyIssuer.USUAL_VALIDITY)).containsExactly("alpha");
        assertThat(issuer().dropEarlierAuthorities()).containsExactly("alpha");
        assertThat(Files.readString(trusted).split("BEGIN CERT", -1)).hasSize(2);
        assertThat(Files.readString(trusted))
                .isEqualTo(Files.readString(folder.resolve("authority.crt.pem")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "../x",
                "a/b",
                "-a",
                "a-",
                "a..b",
                "*.example.org",
                "é",
                "node-3.starling",
                "1.2.3.400",
                "1:2:3",
                "[::1",
                "."
            })
    void refusesWhatIsNoNameOfAHost(String name) {
        assertThatThrownBy(
                        () -> issuer().issue(List.of("ok", name), 0, 1, KeyIssuer.USUAL_VALIDITY))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("can't be for \"" + name + "\"");
        assertThat(folder.resolve("ok")).doesNotExist();
    }

    @Test
    void refusesFoldersAndNodesThatCannotBe() {
        assertThatThrownBy(() -> issuer().issue(List.of("secret"), 0, 1, KeyIssuer.USUAL_VALIDITY))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is no folder of a node");
        assertThatThrownBy(() -> issuer().issue(List.of("a"), 3, 2, KeyIssuer.USUAL_VALIDITY))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("found 3 to 2");
        Path client = issuer().issueToClient("ann", KeyIssuer.USUAL_VALIDITY);
        assertThatThrownBy(() -> issuer().issue(List.of("ann"), 0, 1, KeyIssuer.USUAL_VALIDITY))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(client + " is there already");
        assertThatThrownBy(() -> new KeyIssuer(client, InstantSource.system()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no authority in " + client);
    }

    @Test
    void saysWhichFileOfAHostIsMissing() throws Exception {
        Path host = issuer().issue(List.of("alpha"), 0, 9, KeyIssuer.USUAL_VALIDITY);
        Files.delete(host.resolve("authority.crt.pem"));

        assertThatThrownBy(() -> new KeyFolder(host, Map.of()).tls())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no file " + host.resolve("authority.crt.pem"));
    }
}
