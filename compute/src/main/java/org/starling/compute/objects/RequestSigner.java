package org.starling.compute.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests by AWS Signature Version 4, in the header {@code Authorization}, as Amazon S3
 * wants it: paths are taken as they are sent. Path and query have to be in canonical form already.
 * Stateless.
 */
final class RequestSigner {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String SERVICE = "s3";
    private static final String MAC = "HmacSHA256";
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** What is signed beside the host; stores and proxies may change what else is sent. */
    private static final Set<String> SIGNED = Set.of("content-type", "date", "if-match", "range");

    private RequestSigner() {}

    /**
     * The headers of a signed request.
     *
     * @param headers what it has beside the host, by small letters
     * @param payloadHash SHA-256 of the body, in hexadecimal digits
     * @return these and more, without the host
     */
    static SortedMap<String, String> sign(
            String method,
            URI address,
            Map<String, String> headers,
            String payloadHash,
            ObjectKeys keys,
            String region,
            Instant moment) {
        SortedMap<String, String> all = new TreeMap<>(headers);
        all.put("x-amz-content-sha256", payloadHash);
        all.put("x-amz-date", MOMENT.format(moment));
        if (!keys.sessionToken().isEmpty()) {
            all.put("x-amz-security-token", keys.sessionToken());
        }
        SortedMap<String, String> signed = new TreeMap<>(all);
        signed.keySet().removeIf(name -> !SIGNED.contains(name) && !name.startsWith("x-amz-"));
        signed.put("host", host(address));
        String names = String.join(";", signed.keySet());
        String request =
                method
                        + "\n"
                        + address.getRawPath()
                        + "\n"
                        + (address.getRawQuery() == null ? "" : address.getRawQuery())
                        + "\n"
                        + signed.entrySet().stream()
                                .map(header ->
                                        header.getKey() + ":" + header.getValue().strip() + "\n")
                                .collect(Collectors.joining())
                        + "\n"
                        + names
                        + "\n"
                        + payloadHash;
        String scope = "%s/%s/%s/aws4_request".formatted(DAY.format(moment), region, SERVICE);
        String toSign =
                String.join(
                        "\n",
                        ALGORITHM,
                        MOMENT.format(moment),
                        scope,
                        hash(request.getBytes(UTF_8)));
        byte[] key = ("AWS4" + keys.secretKey()).getBytes(UTF_8);
        for (String part : scope.split("/", -1)) {
            key = mac(key, part);
        }
        all.put(
                "authorization",
                "%s Credential=%s/%s,SignedHeaders=%s,Signature=%s"
                        .formatted(
                                ALGORITHM,
                                keys.accessKey(),
                                scope,
                                names,
                                HexFormat.of().formatHex(mac(key, toSign))));
        return all;
    }

    /** SHA-256 in hexadecimal digits. */
    static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /** As the client of the JDK sends it: without the port that is usual. */
    private static String host(URI address) {
        int usual = "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
        return address.getPort() < 0 || address.getPort() == usual
                ? address.getHost()
                : address.getHost() + ":" + address.getPort();
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException missing) {
            throw new IllegalStateException("every Java has " + MAC, missing);
        }
    }
}
