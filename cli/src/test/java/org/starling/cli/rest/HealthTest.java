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
    void livesWhileItTakesRequestsAndIsReadyWhileTheDirectoryHasALeader() throws Exception {
        FakeService directory = new FakeService();
        InetSocketAddress bind = free();
        try (ApiEndpoint.Open _ = open(bind, directory)) {
            assertThat(get(bind, "live")).isEqualTo("200 {\"status\": \"live\"}");
            assertThat(get(bind, "ready")).isEqualTo("200 {\"status\": \"ready\"}");

            directory.setLeader(-1);
            assertThat(get(bind, "ready"))
                    .isEqualTo("503 {\"error\": \"the directory has no leader now\"}");

            directory.setDown(true);
            assertThat(get(bind, "live")).startsWith("200 ");
            assertThat(get(bind, "ready")).startsWith("503 ");
        }
    }

    private ApiEndpoint.Open open(InetSocketAddress bind, FakeService directory) {
        return new RestEndpoint()
                .open(
                        bind,
                        directory,
                        FakeTokens.access(AccessToken.fresh(), folder),
                        new FakeMonitor());
    }

    private static String get(InetSocketAddress bind, String what) throws Exception {
        URI url = URI.create("http://127.0.0.1:%d/health/%s".formatted(bind.getPort(), what));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(
                            HttpRequest.newBuilder(url).build(),
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
