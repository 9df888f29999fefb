package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeService;
import org.starling.cli.FakeTokens;
import org.starling.compute.access.AccessRole;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.SuperpeerTokens;

/** What nodes tell those who watch them. */
final class MetricsTest {
    private static final AccessToken TOKEN = AccessToken.fresh();

    private final FakeMonitor monitor = new FakeMonitor();

    @Test
    void givesFiguresOfThePeerAndItsJvmToThoseWhoShowTheToken() throws Exception {
        InetSocketAddress bind = free();
        try (ApiEndpoint.Open _ =
                new RestEndpoint().openMonitor(bind, monitor, FakeTokens.of(TOKEN), null)) {
            HttpResponse<String> all = get(bind, "/metrics", TOKEN.header());

            assertThat(all.statusCode()).isEqualTo(200);
            assertThat(all.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(
                            type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
            assertThat(all.body().lines())
                    .contains(
                            "# HELP starling_net_sent_bytes_total Bytes that left.",
                            "# TYPE starling_net_sent_bytes_total counter",
                            "starling_net_sent_bytes_total{other=\"peer\"} 1.0E12",
                            "starling_net_sent_bytes_total{other=\"superpeer\"} 0.0",
                            "# TYPE starling_node_ready gauge",
                            "starling_node_ready 1.0")
                    .anyMatch(line -> line.startsWith("process_cpu_seconds_total "))
                    .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\"} "));

            assertThat(get(bind, "/metrics", null).statusCode()).isEqualTo(401);
            assertThat(get(bind, "/metrics", AccessToken.fresh().header()).statusCode())
                    .isEqualTo(401);
            assertThat(get(bind, "/api/v1/jobs", TOKEN.header()).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void givesThemToWhoeverHasATokenOfThatRole() throws Exception {
        InetSocketAddress bind = free();
        AccessToken watcher = AccessToken.fresh();
        SuperpeerTokens tokens = FakeTokens.of(TOKEN);
        tokens.create("prometheus", AccessRole.READ, watcher.digest(), null);
        try (ApiEndpoint.Open _ = new RestEndpoint().openMonitor(bind, monitor, tokens, null)) {
            assertThat(get(bind, "/metrics", watcher.header()).statusCode()).isEqualTo(200);

            assertThat(tokens.revoke("prometheus")).isTrue();
            assertThat(get(bind, "/metrics", watcher.header()).statusCode()).isEqualTo(401);
            assertThat(get(bind, "/metrics", TOKEN.header()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void tellsAllWhetherThePeerIsReady() throws Exception {
        InetSocketAddress bind = free();
        try (ApiEndpoint.Open _ =
                new RestEndpoint().openMonitor(bind, monitor, FakeTokens.of(TOKEN), null)) {
            assertThat(get(bind, "/health/live", null).body()).isEqualTo("{\"status\": \"live\"}");
            assertThat(get(bind, "/health/ready", null).statusCode()).isEqualTo(200);

            monitor.setReady(false);
            assertThat(get(bind, "/health/live", null).statusCode()).isEqualTo(200);
            assertThat(get(bind, "/health/ready", null).statusCode()).isEqualTo(503);
        }
    }

    @Test
    void givesFiguresOfASuperpeerBesideItsRestInterface(@TempDir Path folder) throws Exception {
        InetSocketAddress bind = free();
        FakeService service = new FakeService();
        try (ApiEndpoint.Open _ =
                new RestEndpoint().open(bind, service, FakeTokens.access(TOKEN, folder), monitor)) {
            assertThat(get(bind, "/metrics", null).statusCode()).isEqualTo(401);
            assertThat(get(bind, "/metrics", TOKEN.header()).body())
                    .contains("starling_node_ready 1.0");
            assertThat(get(bind, "/api/v1/jobs", TOKEN.header()).statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> get(
            InetSocketAddress bind, String path, @Nullable String token) throws Exception {
        URI url = URI.create("http://127.0.0.1:%d%s".formatted(bind.getPort(), path));
        HttpRequest.Builder request = HttpRequest.newBuilder(url);
        if (token != null) {
            request.header(AccessToken.HEADER, token);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static InetSocketAddress free() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            return new InetSocketAddress(loopback, socket.getLocalPort());
        }
    }
}
