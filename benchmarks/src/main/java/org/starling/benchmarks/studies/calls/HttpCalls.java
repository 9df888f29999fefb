package org.starling.benchmarks.studies.calls;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * HTTP 1.1 with the JDK's server and client, over connections that stay open; a call is a POST.
 * Each caller has a client, and with it a connection, of its own.
 */
public final class HttpCalls implements Technology {

    private static final String PATH = "/call";
    private static final int OK = 200;
    private static final int STOP_SECONDS = 0;

    /** Without it the server's answers wait 40 ms for the client's acknowledgement. */
    private static final String NO_DELAY_PROPERTY = "sun.net.httpserver.nodelay";

    private final HttpForm form;

    private HttpCalls(HttpForm form) {
        this.form = form;
        System.setProperty(NO_DELAY_PROPERTY, "true");
    }

    /** HTTP with JSON. */
    public static HttpCalls json() {
        return new HttpCalls(new JsonForm());
    }

    /** HTTP with XML. */
    public static HttpCalls xml() {
        return new HttpCalls(new XmlForm());
    }

    @Override
    public String name() {
        return form.name();
    }

    @Override
    public Server serve(Service service) throws IOException {
        return new Web(service);
    }

    @Override
    public Caller connect(Server server, Route route) throws IOException {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        URI address = URI.create("http://" + host + ":" + route.to(server.port()) + PATH);
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new Poster(client, address, form);
    }

    private final class Web implements Server {
        private final ExecutorService threads =
                Executors.newCachedThreadPool(
                        Thread.ofPlatform().name("http-serve-", 0).daemon().factory());
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final Service service;

        Web(Service service) throws IOException {
            this.service = service;
            server.setExecutor(threads);
            server.createContext(PATH, this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            try (exchange) {
                Call call = form.call(exchange.getRequestBody().readAllBytes());
                byte[] body = form.bytes(service.answer(call));
                exchange.getResponseHeaders().set("Content-Type", form.contentType());
                exchange.sendResponseHeaders(OK, body.length);
                exchange.getResponseBody().write(body);
            }
        }

        @Override
        public int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(STOP_SECONDS);
            threads.shutdownNow();
        }
    }

    private record Poster(HttpClient client, URI address, HttpForm form) implements Caller {
        @Override
        public Answer call(Call call) throws IOException, InterruptedException {
            HttpRequest request =
                    HttpRequest.newBuilder(address)
                            .header("Content-Type", form.contentType())
                            .POST(HttpRequest.BodyPublishers.ofByteArray(form.bytes(call)))
                            .build();
            HttpResponse<byte[]> response =
                    client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != OK) {
                throw new IOException("the server answered " + response.statusCode());
            }
            return form.answer(response.body());
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }
}
