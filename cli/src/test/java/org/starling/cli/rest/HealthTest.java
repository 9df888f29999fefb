package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeService;
import org.starling.cli.FakeTokens;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;

/** Whether a superpeer lives and serves, told to all who ask. */
final class HealthTest {
    @TempDir Path folder;

    @Test
    void livesWhileItTakesRequestsAndIsReadyWhileTheNodeServes() throws Exception {
        FakeMonitor monitor = new FakeMonitor();
        InetSocketAddress bind = free();
        try (ApiEndpoint.Open _ = open(bind, monitor)) {
            assertThat(get(bind, "live")).isEqualTo("200 {\"status\": \"live\"}");
            assertThat(get(bind, "ready")).isEqualTo("200 {\"status\": \"ready\"}");

            monitor.setReady(false);
            assertThat(get(bind, "ready"))
                    .isEqualTo("503 {\"error\": \"the directory has no leader now\"}");
            assertThat(get(bind, "live")).startsWith("200 ");
            assertThat(ask(bind, "ready", "HEAD")).isEqualTo("405 ");
        }
    }

    private ApiEndpoint.Open open(InetSocketAddress bind, FakeMonitor monitor) {
        return new RestEndpoint()
                .open(
                        bind,
                        new FakeService(),
                        FakeTokens.access(AccessToken.fresh(), folder),
                        monitor);
    }

    private static String get(InetSocketAddress bind, String what) throws Exception {
        return ask(bind, what, "GET");
    }

    private static String ask(InetSocketAddress bind, String what, String method) throws Exception {
        URI url = URI.create("http://127.0.0.1:%d/health/%s".formatted(bind.getPort(), what));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(
                            HttpRequest.newBuilder(url)
                                    .method(method, BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body().strip();
        }
    }

    private static InetSocketAddress free() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            return new InetSocketAddress(loopback, socket.getLocalPort());
        }
    }
}
