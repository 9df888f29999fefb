package org.starling.benchmarks.studies.calls;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * HTTP 1.1 with the JDK's server and client, over connections that stay open; a call is a POST.
 * Each caller has a client, and with it a connection, of its own.
 */
final class HttpCalls implements Technology {
    private static final String PATH = "/call";
    private static final int OK = 200;
    private static final int STOP_SECONDS = 0;

    /** Most bytes of a call, whose numbers are text. */
    private static final int MAX_BODY_BYTES = 64 * CallPattern.MAX_VECTOR;

    /** Without it the server's answers wait 40 ms for the client's acknowledgement. */
    private static final String NO_DELAY_PROPERTY = "sun.net.httpserver.nodelay";

    /** How calls and answers are written in the bodies of HTTP messages. Stateless. */
    interface Form {
        /** What it is called in tables. */
        String name();

        /** For the header of that name. */
        String contentType();

        byte[] bytes(Call call) throws IOException;

        byte[] bytes(Answer answer) throws IOException;

        /** Reads a call. */
        Call call(byte[] body) throws IOException;

        /** Reads an answer. */
        Answer answer(byte[] body) throws IOException;
    }

    private final Form form;

    HttpCalls(Form form) {
        this.form = form;
    }

    @Override
    public String name() {
        return form.name();
    }

    @Override
    public Server serve(Function<Call, Answer> service) throws IOException {
        System.setProperty(NO_DELAY_PROPERTY, "true");
        return new Web(service);
    }

    @Override
    public Caller connect(Server server) {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        URI address = URI.create("http://" + host + ":" + server.port() + PATH);
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new Poster(client, address, form);
    }

    private final class Web implements Server {
        private final ExecutorService threads =
                Executors.newCachedThreadPool(
                        Thread.ofPlatform().name("http-serve-", 0).daemon().factory());
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final Function<Call, Answer> service;

        Web(Function<Call, Answer> service) throws IOException {
            this.service = service;
            server.setExecutor(threads);
            server.createContext(PATH, this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            try (exchange;
                    InputStream request = exchange.getRequestBody()) {
                Call call = form.call(request.readNBytes(MAX_BODY_BYTES));
                byte[] body = form.bytes(service.apply(call));
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

    private record Poster(HttpClient client, URI address, Form form) implements Caller {
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
