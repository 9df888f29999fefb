package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.rest.RestEndpoint;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.JarService.JarView;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.jars.JarRules;
import org.starling.graph.InvalidInputException;

/** Jars over REST, on a real port, without a cluster. */
@Timeout(60)
final class JarEndpointTest {
    private static final AccessToken TOKEN = AccessToken.fresh();
    private static final String OTHER = "0".repeat(64);

    @TempDir Path folder;
    private final FakeService service = new FakeService();
    private ApiEndpoint.Open open = () -> {};
    private URI url = URI.create("http://127.0.0.1");
    private ClusterClient client = new ClusterClient(List.of(url), TOKEN);
    private Path jar = Path.of("");
    private String digest = "";

    @BeforeEach
    void open() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            url = URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
        open =
                new RestEndpoint()
                        .open(
                                new InetSocketAddress(loopback, url.getPort()),
                                service,
                                FakeTokens.access(TOKEN, folder),
                                new FakeMonitor());
        client.close();
        client = new ClusterClient(List.of(url), TOKEN);
        byte[] noise = new byte[3 << 20]; // more than other bodies may have
        new java.util.Random(7).nextBytes(noise);
        jar = RingJar.builder().entry("noise", noise).build(folder.resolve("ring & co.jar"));
        digest = JarInspection.digest(jar);
    }

    @AfterEach
    void close() {
        client.close();
        open.close();
    }

    @Test
    void bringsListsAndRemovesAJar() throws IOException {
        assertThat(client.jars().missing(List.of(view()))).containsExactly(digest);

        client.jars().bring(digest, "ring & co.jar", jar);
        client.jars().bring(digest, "ring & co.jar", jar); // again

        assertThat(client.jars().missing(List.of(view()))).isEmpty();
        assertThat(client.jars().list())
                .singleElement()
                .satisfies(kept -> {
                    assertThat(kept.name()).isEqualTo("ring & co.jar");
                    assertThat(kept.digest()).isEqualTo(digest);
                    assertThat(kept.providers())
                            .containsExactly("my.Distances", "my.FindDistances", "my.Ring");
                });
        assertThat(client.jars().remove(digest)).isTrue();
        assertThat(client.jars().remove(digest)).isFalse();
        assertThat(client.jars().list()).isEmpty();
    }

    @Test
    void refusesWhatIsNotWhatItsDigestSays() {
        assertThatThrownBy(() -> client.jars().bring(OTHER, "ring.jar", jar))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("ring.jar has another digest");
        assertThatThrownBy(() -> client.jars().remove("abc"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("64 hexadecimal digits");
        assertThat(client.jars().list()).isEmpty();
    }

    @Test
    void refusesBeforeItReadsWhatIsTooLargeOrNotWanted() throws Exception {
        service.jars().setRules(new JarRules(true, 1 << 20));

        assertThatThrownBy(() -> client.jars().missing(List.of(view())))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("ring & co.jar has 4 MiB, and a jar may have 1 MiB here");
        HttpResponse<String> large = put(BodyPublishers.ofFile(jar), "application/java-archive");
        assertThat(large.statusCode()).isEqualTo(400);
        assertThat(large.body()).contains("a jar may have 1 MiB here");

        service.jars().setRules(new JarRules(false, 1 << 20));
        assertThatThrownBy(() -> client.jars().missing(List.of(view())))
                .hasMessageContaining("code of users is switched off");
        assertThat(client.jars().list()).isEmpty();
    }

    @Test
    void takesAJarAsAJarOnlyAndLeavesNoFileBehind() throws Exception {
        long before = uploads();

        assertThat(put(BodyPublishers.ofString("hello"), "text/plain").statusCode()).isEqualTo(415);
        HttpResponse<String> broken =
                put(BodyPublishers.ofString("hello"), "application/java-archive");

        assertThat(broken.statusCode()).isEqualTo(400);
        assertThat(broken.body()).contains("is no jar, or only a part of one");
        assertThat(uploads()).isEqualTo(before);
    }

    private HttpResponse<String> put(HttpRequest.BodyPublisher body, String type) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(url.resolve("/api/v1/jars/" + digest))
                        .header(AccessToken.HEADER, TOKEN.header())
                        .header("Content-Type", type)
                        .expectContinue(true)
                        .PUT(body)
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, BodyHandlers.ofString());
        }
    }

    private JarView view() throws IOException {
        return new JarView(digest, "ring & co.jar", Files.size(jar), List.of());
    }

    private static long uploads() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.toString().contains("starling-upload-")).count();
        }
    }
}
