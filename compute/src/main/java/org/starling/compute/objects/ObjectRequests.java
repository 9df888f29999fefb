package org.starling.compute.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes requests to an object store, each signed anew. Immutable. */
public final class ObjectRequests {
    private static final byte[] NOTHING = {};

    private final ObjectAccount account;
    private final InstantSource clock;

    /** Requests of an account. */
    public ObjectRequests(ObjectAccount account, InstantSource clock) {
        this.account = account;
        this.clock = clock;
    }

    /** As whom they ask. */
    public ObjectAccount account() {
        return account;
    }

    /**
     * An object, or the rest of it.
     *
     * @param from first byte that is wanted
     * @param etag the version that it has to be; empty for any
     */
    public HttpRequest get(ObjectName name, long from, String etag) {
        SortedMap<String, String> headers = new TreeMap<>();
        headers.put("accept-encoding", "identity");
        if (from > 0) {
            headers.put("range", "bytes=" + from + "-");
        }
        if (!etag.isEmpty()) {
            headers.put("if-match", etag);
        }
        return request("GET", name, Map.of(), headers, NOTHING);
    }

    /**
     * A page of the objects that lie directly in a folder.
     *
     * @param prefix what their keys begin with
     * @param continuation what the page before has said; empty for the first
     */
    public HttpRequest list(String bucket, String prefix, String continuation) {
        SortedMap<String, String> query = new TreeMap<>();
        query.put("list-type", "2");
        query.put("delimiter", "/");
        query.put("encoding-type", "url");
        query.put("prefix", prefix);
        if (!continuation.isEmpty()) {
            query.put("continuation-token", continuation);
        }
        return request("GET", new ObjectName(bucket, ""), query, Map.of(), NOTHING);
    }

    /** A whole object. */
    public HttpRequest put(ObjectName name, byte[] body, Function<byte[], BodyPublisher> sent) {
        return request("PUT", name, Map.of(), Map.of(), body, sent);
    }

    /** The begin of an object that comes in parts. */
    public HttpRequest begin(ObjectName name) {
        return request("POST", name, Map.of("uploads", ""), Map.of(), NOTHING);
    }

    /**
     * A part.
     *
     * @param number from 1 on
     */
    public HttpRequest part(
            ObjectName name,
            String upload,
            int number,
            byte[] body,
            Function<byte[], BodyPublisher> sent) {
        return request(
                "PUT",
                name,
                Map.of("partNumber", Integer.toString(number), "uploadId", upload),
                Map.of(),
                body,
                sent);
    }

    /**
     * The end of an object that has come in parts.
     *
     * @param etags what the answers to the parts have said, in their order
     */
    public HttpRequest complete(ObjectName name, String upload, List<String> etags) {
        StringBuilder body =
                new StringBuilder(
                        "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        for (int i = 0; i < etags.size(); i++) {
            body.append(
                    "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>"
                            .formatted(i + 1, escapedText(etags.get(i))));
        }
        return request(
                "POST",
                name,
                Map.of("uploadId", upload),
                Map.of("content-type", "application/xml"),
                body.append("</CompleteMultipartUpload>").toString().getBytes(UTF_8));
    }

    /** The end of an object of which nothing is to stay. */
    public HttpRequest abort(ObjectName name, String upload) {
        return request("DELETE", name, Map.of("uploadId", upload), Map.of(), NOTHING);
    }

    /** No object any more. */
    public HttpRequest delete(ObjectName name) {
        return request("DELETE", name, Map.of(), Map.of(), NOTHING);
    }

    private HttpRequest request(
            String method,
            ObjectName name,
            Map<String, String> query,
            Map<String, String> headers,
            byte[] body) {
        return request(method, name, query, headers, body, BodyPublishers::ofByteArray);
    }

    private HttpRequest request(
            String method,
            ObjectName name,
            Map<String, String> query,
            Map<String, String> headers,
            byte[] body,
            Function<byte[], BodyPublisher> sent) {
        URI address = account.address(name.bucket(), escaped(name.key(), true), canonical(query));
        Map<String, String> all =
                account.keys() == null
                        ? headers
                        : RequestSigner.sign(
                                method,
                                address,
                                headers,
                                RequestSigner.hash(body),
                                account.keys(),
                                account.region(),
                                clock.instant());
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address)
                        .version(HttpClient.Version.HTTP_1_1)
                        .header("User-Agent", "starling")
                        .method(
                                method,
                                body.length == 0 && !method.equals("PUT")
                                        ? BodyPublishers.noBody()
                                        : sent.apply(body));
        all.forEach(request::header);
        return request.build();
    }

    private static String canonical(Map<String, String> query) {
        return new TreeMap<>(query)
                .entrySet().stream()
                        .map(one ->
                                escaped(one.getKey(), false) + "=" + escaped(one.getValue(), false))
                        .collect(Collectors.joining("&"));
    }

    /** With %XX for all but letters, digits and four signs (RFC 3986, section 2.3). */
    static String escaped(String text, boolean isPath) {
        StringBuilder escaped = new StringBuilder();
        for (byte one : text.getBytes(UTF_8)) {
            char sign = (char) (one & 0xFF);
            boolean isPlain =
                    (sign >= 'A' && sign <= 'Z')
                            || (sign >= 'a' && sign <= 'z')
                            || (sign >= '0' && sign <= '9')
                            || "-._~".indexOf(sign) >= 0
                            || (isPath && sign == '/');
            if (isPlain) {
                escaped.append(sign);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
            }
        }
        return escaped.toString();
    }

    private static String escapedText(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
