package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeService;
import org.starling.cli.FakeTokens;
import org.starling.compute.access.AuditLog;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiAccess;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterTrust;
import org.starling.compute.cluster.EndpointTls;
import org.starling.net.KeyAuthority;
import org.starling.net.TlsOptions;

/**
 * The REST interface within TLS, on a real port, with good certificates and all kinds of bad ones.
 */
@Timeout(60)
final class RestTlsTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final AccessToken TOKEN = AccessToken.fresh();

    @TempDir Path folder;

    private final List<ApiEndpoint.Open> open = new ArrayList<>();
    private final List<ClusterClient> clients = new ArrayList<>();
    private Path server = Path.of("");
    private Path client = Path.of("");
    private TlsOptions files = new TlsOptions(server, server, server);
    private int port;

    @BeforeEach
    void issue() throws IOException {
        server = Files.createDirectory(folder.resolve("server"));
        client = Files.createDirectory(folder.resolve("client"));
        KeyAuthority authority = authority();
        files = authority.issue(server, "node", List.of("127.0.0.1", "node-0.starling"), YEAR);
        authority.issue(client, "client", List.of("ann"), YEAR);
    }

    @AfterEach
    void close() {
        clients.forEach(ClusterClient::close);
        open.forEach(ApiEndpoint.Open::close);
    }

    @Test
    void servesThoseWhoKnowItsAuthority() throws IOException {
        serve(false);

        assertThat(trusting(server.resolve("authority.crt.pem")).jobs()).isEmpty();
    }

    @Test
    void tellsHowAPeerIsByItsKeys() throws Exception {
        port = freePort();
        open.add(
                new RestEndpoint()
                        .openMonitor(
                                new InetSocketAddress(loopback(), port),
                                new FakeMonitor(),
                                FakeTokens.of(TOKEN),
                                new EndpointTls(files, false)));
        try (HttpClient trusts = HttpClient.newBuilder().sslContext(context(files, null)).build()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"));

            assertThat(trusts.send(request.build(), BodyHandlers.discarding()).statusCode())
                    .isEqualTo(401);
            request.header(AccessToken.HEADER, TOKEN.header());
            assertThat(trusts.send(request.build(), BodyHandlers.ofString()).body())
                    .contains("starling_node_ready");
        }
    }

    @Test
    void speaksNoOlderTlsThanThird() throws Exception {
        serve(false);
        SSLContext any = context(files, null);

        try (Socket socket = any.getSocketFactory().createSocket(loopback(), port)) {
            ((SSLSocket) socket).setEnabledProtocols(new String[] {"TLSv1.2"});
            assertThatThrownBy(((SSLSocket) socket)::startHandshake)
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("protocol_version");
        }
    }

    @Test
    void isNotTrustedWithAnotherAuthority() throws IOException {
        serve(false);
        Path other = Files.createDirectory(folder.resolve("other"));
        assertThat(KeyAuthority.make(other, InstantSource.system()).count()).isEqualTo(1);
        Path authority = other.resolve("authority.crt.pem");

        assertThatThrownBy(trusting(authority)::jobs)
                .isInstanceOf(ClusterException.class)
                .hasMessage(
                        "no cluster answers at https://127.0.0.1:%d: its certificate is not signed by an authority in %s"
                                .formatted(port, authority));
        assertThatThrownBy(client(ClusterTrust.USUAL, "https://127.0.0.1:" + port)::jobs)
                .hasMessageContaining("signed by nobody whom Java trusts; name the file")
                .hasMessageContaining("--ca");
    }

    @Test
    void isNotTrustedUnderAnotherName() throws IOException {
        serve(false);
        ClusterTrust trust = new ClusterTrust(server.resolve("authority.crt.pem"), null);

        assertThatThrownBy(client(trust, "https://localhost:" + port)::jobs)
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("its certificate is for other names")
                .hasMessageContaining("localhost");
    }

    @Test
    void saysWhichOfTheTwoSpeaksTls() throws IOException {
        serve(false);
        int plain = freePort();
        open.add(
                new RestEndpoint()
                        .open(
                                new InetSocketAddress(loopback(), plain),
                                new FakeService(),
                                FakeTokens.access(TOKEN, folder),
                                new FakeMonitor()));
        ClusterTrust trust = new ClusterTrust(server.resolve("authority.crt.pem"), null);

        assertThatThrownBy(client(trust, "https://127.0.0.1:" + plain)::jobs)
                .hasMessageContaining("it speaks no TLS; ask it by http://");
        assertThatThrownBy(client(ClusterTrust.USUAL, "http://127.0.0.1:" + port)::jobs)
                .hasMessageContaining("perhaps it speaks https");
    }

    /** Each wire × no, foreign and expired certificate; for messages see {@code TlsTest}. */
    @Test
    void asksClientsForACertificateWhereThatIsSaid() throws Exception {
        serve(true);
        Path authority = server.resolve("authority.crt.pem");
        Path other = Files.createDirectory(folder.resolve("other"));
        TlsOptions foreign =
                KeyAuthority.make(other, InstantSource.system())
                        .issue(other, "client", List.of("ann"), YEAR);
        Instant lastYear = Instant.now().minus(YEAR);
        Path late = Files.createDirectory(folder.resolve("late"));
        TlsOptions expired =
                KeyAuthority.open(folder, InstantSource.fixed(lastYear))
                        .issue(late, "client", List.of("ann"), Duration.ofDays(1));

        ClusterTrust shown = new ClusterTrust(null, client.resolve("client.crt.pem"));
        assertThat(client(shown, "https://127.0.0.1:" + port).jobs()).isEmpty();
        assertThatThrownBy(trusting(authority)::jobs)
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("it asks for a certificate; name yours with --certificate");
        assertThatThrownBy(() -> ask(context(files, foreign))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ask(context(files, expired))).isInstanceOf(IOException.class);
        assertThat(ask(context(files, files))).isEqualTo(200);
        // whoever has such a one is told before anything is sent
        assertThatThrownBy(() ->
                        client(
                                new ClusterTrust(authority, expired.certificate()),
                                "https://127.0.0.1:" + port))
                .hasMessageContaining(expired.certificate() + " has expired on");
    }

    @Test
    void takesOtherKeysAndAnotherAuthorityWithoutARestart() throws Exception {
        serve(true);
        Path old = Files.copy(server.resolve("authority.crt.pem"), folder.resolve("old.pem"));
        assertThat(client(shown(client), "https://127.0.0.1:" + port).jobs()).isEmpty();
        KeyAuthority authority = KeyAuthority.open(folder, InstantSource.system());

        authority.renew();
        authority.tell(server);
        authority.tell(client);
        Path bob = Files.createDirectory(folder.resolve("bob"));
        authority.issue(bob, "client", List.of("bob"), YEAR);
        // both are trusted, and the server still shows what the earlier one has signed
        assertThat(client(shown(client), "https://127.0.0.1:" + port).jobs()).isEmpty();
        assertThat(client(shown(bob), "https://127.0.0.1:" + port).jobs()).isEmpty();
        assertThat(ask(context(new TlsOptions(old, old, old), clientFiles()))).isEqualTo(200);

        authority.issue(server, "node", List.of("127.0.0.1", "node-0.starling"), YEAR);
        assertThatThrownBy(() -> ask(context(new TlsOptions(old, old, old), clientFiles())))
                .isInstanceOf(SSLException.class);
        assertThat(client(shown(client), "https://127.0.0.1:" + port).jobs()).isEmpty();

        assertThat(authority.forget()).isEqualTo(1);
        authority.tell(server);
        assertThat(client(shown(bob), "https://127.0.0.1:" + port).jobs()).isEmpty();
        assertThatThrownBy(() -> ask(context(files, clientFiles())))
                .as("of the earlier authority")
                .isInstanceOf(IOException.class);
    }

    @Test
    void staysWithItsKeysWhileOthersDoNotFit() throws Exception {
        serve(false);
        Path other = Files.createDirectory(folder.resolve("other"));
        TlsOptions foreign =
                KeyAuthority.make(other, InstantSource.system())
                        .issue(other, "node", List.of("127.0.0.1"), YEAR);
        Files.copy(foreign.key(), files.key(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(trusting(server.resolve("authority.crt.pem")).jobs()).isEmpty();
    }

    /** What makes a stranger go without TLS makes one go with it, too. */
    @Test
    void pushesOutTheEldestOfTooManyStrangers() throws Exception {
        serve(false);
        List<Socket> strangers = new ArrayList<>();
        try {
            Socket eldest = new Socket(loopback(), port);
            eldest.setSoTimeout(20_000);
            strangers.add(eldest);
            for (int i = 0; i < RestConnections.MAX_STRANGERS; i++) {
                strangers.add(new Socket(loopback(), port));
            }

            assertThat(ended(eldest)).isTrue();
            assertThat(trusting(server.resolve("authority.crt.pem")).jobs()).isEmpty();
        } finally {
            for (Socket one : strangers) {
                one.close();
            }
        }
    }

    /** By its own end or a reset. */
    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    private void serve(boolean mutual) throws IOException {
        port = freePort();
        ApiAccess access =
                FakeTokens.access(
                        FakeTokens.of(TOKEN),
                        new AuditLog(folder, InstantSource.system()),
                        new EndpointTls(files, mutual));
        open.add(
                new RestEndpoint()
                        .open(
                                new InetSocketAddress(loopback(), port),
                                new FakeService(),
                                access,
                                new FakeMonitor()));
    }

    private KeyAuthority authority() {
        return KeyAuthority.make(folder, InstantSource.system());
    }

    private TlsOptions clientFiles() {
        return new TlsOptions(
                client.resolve("client.crt.pem"),
                client.resolve("client.key.pem"),
                client.resolve("authority.crt.pem"));
    }

    private static ClusterTrust shown(Path folder) {
        return new ClusterTrust(null, folder.resolve("client.crt.pem"));
    }

    private ClusterClient trusting(Path authority) {
        return client(new ClusterTrust(authority, null), "https://127.0.0.1:" + port);
    }

    private ClusterClient client(ClusterTrust trust, String url) {
        ClusterClient made = new ClusterClient(List.of(URI.create(url)), TOKEN, trust);
        clients.add(made);
        return made;
    }

    /** What somebody else makes of files, who looks at no dates. */
    private int ask(SSLContext context) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/api/v1/jobs"))
                        .header(AccessToken.HEADER, TOKEN.header())
                        .build();
        try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
            return http.send(request, BodyHandlers.ofString()).statusCode();
        }
    }

    private static SSLContext context(TlsOptions trusted, @Nullable TlsOptions shown)
            throws IOException, GeneralSecurityException {
        char[] password = {};
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, password);
        for (Certificate one : certificates(trusted.authority())) {
            authorities.setCertificateEntry("authority" + authorities.size(), one);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(authorities);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, password);
        if (shown != null) {
            String pem = Files.readString(shown.key()).replaceAll("-----[A-Z ]+-----", "");
            PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem));
            keys.setKeyEntry(
                    "own",
                    KeyFactory.getInstance("EC").generatePrivate(spec),
                    password,
                    certificates(shown.certificate()).toArray(Certificate[]::new));
        }
        KeyManagerFactory own =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static List<Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        byte[] pem = Files.readString(file).getBytes(StandardCharsets.US_ASCII);
        return List.copyOf(
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(pem)));
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
            return socket.getLocalPort();
        }
    }
}
