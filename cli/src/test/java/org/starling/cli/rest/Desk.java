package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeTokens;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.script.JsonText;

/** A REST interface on a port of its own, and somebody who asks it with its token. */
final class Desk implements AutoCloseable {
    private final AccessToken token = AccessToken.fresh();
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final Javalin server;

    private Desk(ApiService service, Path audit, int port) {
        this.url = URI.create("http://127.0.0.1:" + port);
        this.server =
                RestEndpoint.server(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        service,
                        FakeTokens.access(token, audit),
                        new FakeMonitor(),
                        InstantSource.system());
    }

    static Desk open(ApiService service, Path audit) throws IOException {
        Desk desk = new Desk(service, audit, freePort());
        desk.server.start();
        return desk;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    HttpResponse<byte[]> get(String path, @Nullable String accepted) throws Exception {
        HttpRequest.Builder request = request(path);
        if (accepted != null) {
            request.header("Accept", accepted);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    HttpResponse<byte[]> send(String method, String path, String type, byte[] body)
            throws Exception {
        return http.send(
                request(path)
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
    }

    /** Says that a body has so many bytes, sends fewer, and ends the connection. */
    void breakOff(String method, String path, String type, int bytes, String sent)
            throws IOException {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            String head =
                    "%s %s%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                            .formatted(
                                    method,
                                    ClusterClient.PATH,
                                    path,
                                    AccessToken.HEADER,
                                    token.header(),
                                    type,
                                    bytes);
            socket.getOutputStream().write((head + sent).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        }
    }

    /** The sentence of a refusal. */
    String error(int status, String path, @Nullable String accepted) throws Exception {
        HttpResponse<byte[]> response = get(path, accepted);
        assertThat(response.statusCode()).isEqualTo(status);
        return error(response);
    }

    static String error(HttpResponse<byte[]> response) {
        return String.valueOf(tree(response).get("error"));
    }

    static Map<?, ?> tree(HttpResponse<byte[]> response) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        return (Map<?, ?>) Objects.requireNonNull(JsonText.parse(text));
    }

    @Override
    public void close() {
        server.stop();
        http.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(ClusterClient.PATH + path))
                .header(AccessToken.HEADER, token.header());
    }
}
