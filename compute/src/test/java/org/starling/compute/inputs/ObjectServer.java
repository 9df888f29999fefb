package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A small object store that fails when it is told to. It checks that bodies are those that were
 * signed, but not the signatures: {@link ForeignObjectStoreTest} asks a server that does.
 */
public final class ObjectServer implements AutoCloseable {
    /** What to do in the place of an answer; false to give the usual one after all. */
    @FunctionalInterface
    interface Fault {
        boolean answer(HttpExchange exchange) throws IOException;
    }

    /** By bucket, slash and key. */
    public final SortedMap<String, byte[]> objects = new TreeMap<>();

    /** Parts by number, by the names of uploads that have not ended. */
    final Map<String, SortedMap<Integer, byte[]>> uploads = new LinkedHashMap<>();

    /** What was asked, as {@code METHOD PATH?QUERY}, with range and version behind it. */
    final List<String> asked = new ArrayList<>();

    /** For the next requests; an element that gives the usual answer counts, too. */
    final Deque<Fault> faults = new ArrayDeque<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final int pageKeys;

    /** A store whose lists have so many keys on a page. */
    public ObjectServer(int pageKeys) throws IOException {
        this.pageKeys = pageKeys;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Where it is. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    static Fault status(int status, String code) {
        return exchange -> {
            answer(exchange, status, "<Error><Code>%s</Code></Error>".formatted(code));
            return true;
        };
    }

    /** Half of an object, and the end of the connection. */
    Fault half() {
        return exchange -> {
            byte[] whole = stored(exchange.getRequestURI().getPath().substring(1));
            exchange.getResponseHeaders().set("ETag", etag(whole));
            exchange.sendResponseHeaders(200, whole.length);
            exchange.getResponseBody().write(whole, 0, whole.length / 2);
            exchange.getResponseBody().flush();
            exchange.close();
            return true;
        };
    }

    static String etag(byte[] bytes) {
        return "\"" + hex("MD5", bytes) + "\"";
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try {
            String range = exchange.getRequestHeaders().getFirst("Range");
            String match = exchange.getRequestHeaders().getFirst("If-Match");
            asked.add(
                    exchange.getRequestMethod()
                            + " "
                            + exchange.getRequestURI().toASCIIString()
                            + (range == null ? "" : " " + range)
                            + (match == null ? "" : " " + match));
            byte[] body = exchange.getRequestBody().readAllBytes();
            String hash = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
            Fault fault = faults.poll();
            if (fault != null && fault.answer(exchange)) {
                return;
            }
            if (!hex("SHA-256", body).equals(hash)) {
                answer(exchange, 400, "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>");
                return;
            }
            answer(exchange, body, query(exchange.getRequestURI().getRawQuery()));
        } finally {
            exchange.close();
        }
    }

    private void answer(HttpExchange exchange, byte[] body, Map<String, String> query)
            throws IOException {
        String key = exchange.getRequestURI().getPath().substring(1);
        String upload = query.get("uploadId");
        if (upload != null && !uploads.containsKey(upload)) {
            answer(exchange, 404, "<Error><Code>NoSuchUpload</Code></Error>");
            return;
        }
        switch (exchange.getRequestMethod()) {
            case "GET" -> {
                if (query.containsKey("list-type")) {
                    answer(exchange, 200, page(key, query));
                } else {
                    object(exchange, key);
                }
            }
            case "PUT" -> {
                if (upload == null) {
                    objects.put(key, body);
                } else {
                    Objects.requireNonNull(uploads.get(upload))
                            .put(Integer.valueOf(query.getOrDefault("partNumber", "")), body);
                }
                exchange.getResponseHeaders().set("ETag", etag(body));
                answer(exchange, 200, "");
            }
            case "POST" -> post(exchange, key, upload);
            case "DELETE" -> {
                if (upload == null) {
                    objects.remove(key);
                } else {
                    uploads.remove(upload);
                }
                exchange.sendResponseHeaders(204, -1);
            }
            default -> answer(exchange, 405, "");
        }
    }

    private void post(HttpExchange exchange, String key, @Nullable String upload)
            throws IOException {
        if (upload == null) {
            String name = "upload-" + uploads.size() + "&1";
            uploads.put(name, new TreeMap<>());
            answer(
                    exchange,
                    200,
                    "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
                            .formatted(name.replace("&", "&amp;")));
            return;
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : Objects.requireNonNull(uploads.remove(upload)).values()) {
            whole.writeBytes(part);
        }
        objects.put(key, whole.toByteArray());
        answer(
                exchange,
                200,
                "<CompleteMultipartUploadResult><ETag>\"x-1\"</ETag></CompleteMultipartUploadResult>");
    }

    private void object(HttpExchange exchange, String key) throws IOException {
        byte[] whole = objects.get(key);
        if (whole == null) {
            answer(exchange, 404, "<Error><Code>NoSuchKey</Code></Error>");
            return;
        }
        String match = exchange.getRequestHeaders().getFirst("If-Match");
        if (match != null && !match.equals(etag(whole))) {
            answer(exchange, 412, "<Error><Code>PreconditionFailed</Code></Error>");
            return;
        }
        String range = exchange.getRequestHeaders().getFirst("Range");
        int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        exchange.getResponseHeaders().set("ETag", etag(whole));
        if (range != null) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Range",
                            "bytes %d-%d/%d".formatted(from, whole.length - 1, whole.length));
        }
        send(exchange, range == null ? 200 : 206, Arrays.copyOfRange(whole, from, whole.length));
    }

    private String page(String bucket, Map<String, String> query) {
        String before = query.getOrDefault("continuation-token", "");
        String prefix = query.getOrDefault("prefix", "");
        List<String> keys = new ArrayList<>();
        for (String name : objects.keySet()) {
            String key = name.startsWith(bucket) ? name.substring(bucket.length()) : "";
            boolean isInside = key.startsWith(prefix) && key.indexOf('/', prefix.length()) < 0;
            if (isInside && key.compareTo(before) > 0) {
                keys.add(key);
            }
        }
        StringBuilder page =
                new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType>");
        keys.stream()
                .limit(pageKeys)
                .forEach(key ->
                        page.append(
                                "<Contents><Key>%s</Key><Size>%d</Size></Contents>"
                                        .formatted(
                                                URLEncoder.encode(key, UTF_8),
                                                stored(bucket + key).length)));
        boolean isCut = keys.size() > pageKeys;
        page.append("<IsTruncated>%s</IsTruncated>".formatted(isCut));
        if (isCut) {
            page.append(
                    "<NextContinuationToken>%s</NextContinuationToken>"
                            .formatted(keys.get(pageKeys - 1)));
        }
        return page.append("</ListBucketResult>").toString();
    }

    private byte[] stored(String name) {
        return Objects.requireNonNull(objects.get(name), name);
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new TreeMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            query.put(
                    pair.substring(0, equals),
                    URLDecoder.decode(pair.substring(equals + 1), UTF_8));
        }
        return query;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        send(exchange, status, text.getBytes(UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String hex(String algorithm, byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError(missing);
        }
    }
}
