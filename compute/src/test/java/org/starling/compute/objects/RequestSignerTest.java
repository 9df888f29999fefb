package org.starling.compute.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the signatures that Amazon publishes for its example requests. */
class RequestSignerTest {
    private static final ObjectKeys KEYS =
            new ObjectKeys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "");
    private static final Instant MOMENT = Instant.parse("2013-05-24T00:00:00Z");
    private static final String HOST = "https://examplebucket.s3.amazonaws.com";

    @ParameterizedTest
    @CsvSource({
        "/test.txt, range, bytes=0-9, f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        "/?lifecycle=, , , fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        "/?max-keys=2&prefix=J, , , 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    })
    void signsWhatHasNoBody(String path, String header, String value, String signature) {
        SortedMap<String, String> signed =
                sign("GET", path, header == null ? Map.of() : Map.of(header, value), "", KEYS);

        assertThat(signed.get("authorization")).endsWith(",Signature=" + signature);
    }

    @Test
    void signsABodyAndSignsInAPath() {
        SortedMap<String, String> signed =
                sign(
                        "PUT",
                        "/" + ObjectRequests.escaped("test$file.text", true),
                        Map.of(
                                "date", "Fri, 24 May 2013 00:00:00 GMT",
                                "x-amz-storage-class", "REDUCED_REDUNDANCY"),
                        "Welcome to Amazon S3.",
                        KEYS);

        assertThat(signed)
                .containsEntry(
                        "x-amz-content-sha256",
                        "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
                .containsEntry(
                        "authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    }

    @Test
    void signsTheTokenOfKeysThatEnd() {
        ObjectKeys passing = new ObjectKeys(KEYS.accessKey(), KEYS.secretKey(), "token");

        SortedMap<String, String> signed = sign("GET", "/a", Map.of(), "", passing);

        assertThat(signed).containsEntry("x-amz-security-token", "token");
        assertThat(signed.get("authorization"))
                .contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token")
                .doesNotContain(sign("GET", "/a", Map.of(), "", KEYS).get("authorization"));
    }

    @Test
    void sendsWithoutASignatureWhatIsChangedOnTheWay() {
        SortedMap<String, String> signed =
                sign("GET", "/a", Map.of("accept-encoding", "identity"), "", KEYS);

        assertThat(signed)
                .containsEntry("accept-encoding", "identity")
                .containsEntry(
                        "authorization",
                        sign("GET", "/a", Map.of(), "", KEYS).get("authorization"));
    }

    @Test
    void showsNoKeys() {
        assertThat(KEYS.toString()).doesNotContain("AKIA", "wJalr");
        assertThat(new ObjectAccount(KEYS, "us-east-1", URI.create("http://127.0.0.1:9")))
                .hasToString("http://127.0.0.1:9");
    }

    private static SortedMap<String, String> sign(
            String method, String path, Map<String, String> headers, String body, ObjectKeys keys) {
        return RequestSigner.sign(
                method,
                URI.create(HOST + path),
                headers,
                RequestSigner.hash(body.getBytes(UTF_8)),
                keys,
                "us-east-1",
                MOMENT);
    }
}
