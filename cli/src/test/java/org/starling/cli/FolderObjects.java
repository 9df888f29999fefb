package org.starling.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An object store for tests of commands: buckets are folders, objects are files in them. It wants
 * to see whose requests they are, but checks no signatures, as the tests of room {@code compute}
 * do. Also a process of its own: {@code ADDRESS PORT FOLDER}.
 */
final class FolderObjects implements AutoCloseable {
    static final String ACCOUNT = "its-account";
    static final String SECRET = "its-secret-key";

    private static final Pattern PREFIX = Pattern.compile("prefix=([^&]*)");

    private final Path folder;
    private final HttpServer server;

    private FolderObjects(InetSocketAddress address, Path folder) throws IOException {
        this.folder = folder;
        this.server = HttpServer.create(address, 0);
        server.setExecutor(
                Executors.newCachedThreadPool(work -> {
                    Thread thread = new Thread(work);
                    thread.setDaemon(true);
                    return thread;
                }));
        server.createContext("/", this::handle);
        server.start();
    }

    static FolderObjects of(Path folder) throws IOException {
        return new FolderObjects(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder);
    }

    /** Serves until the process is ended. */
    public static void main(String[] words) throws IOException {
        FolderObjects _ =
                new FolderObjects(
                        new InetSocketAddress(words[0], Integer.parseInt(words[1])),
                        Path.of(words[2]));
        System.out.println("serves");
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String who = exchange.getRequestHeaders().getFirst("Authorization");
            String query = exchange.getRequestURI().getRawQuery();
            Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
            if (who == null || !who.contains("Credential=" + ACCOUNT + "/")) {
                send(exchange, 403, "<Error><Code>AccessDenied</Code></Error>".getBytes(UTF_8));
            } else if (query != null) {
                send(exchange, 200, list(file, query).getBytes(UTF_8));
            } else if (exchange.getRequestMethod().equals("PUT")) {
                Files.createDirectories(file.resolveSibling(""));
                Files.write(file, body);
                send(exchange, 200, new byte[0]);
            } else if (Files.isRegularFile(file)) {
                exchange.getResponseHeaders().set("ETag", "\"1\"");
                send(exchange, 200, Files.readAllBytes(file));
            } else {
                send(exchange, 404, "<Error><Code>NoSuchKey</Code></Error>".getBytes(UTF_8));
            }
        }
    }

    private static String list(Path bucket, String query) throws IOException {
        Matcher found = PREFIX.matcher(query);
        String prefix = found.find() ? URLDecoder.decode(found.group(1), UTF_8) : "";
        StringBuilder page =
                new StringBuilder(
                        "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>");
        List<Path> files;
        try (Stream<Path> all = Files.walk(bucket)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            String key = bucket.relativize(file).toString();
            if (key.startsWith(prefix) && key.indexOf('/', prefix.length()) < 0) {
                page.append(
                        "<Contents><Key>%s</Key><Size>%d</Size></Contents>"
                                .formatted(URLEncoder.encode(key, UTF_8), Files.size(file)));
            }
        }
        return page.append("</ListBucketResult>").toString();
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
