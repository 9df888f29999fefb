package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.objects.ObjectAccount;
import org.starling.compute.objects.ObjectKeys;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;

/** Reading objects, through the spool that scripts read them by. */
class ObjectStoreTest {
    private static final ObjectKeys KEYS = new ObjectKeys("its-account", "its-secret", "its-token");
    private static final int MOST = 100;

    @TempDir private Path folder;
    private ObjectServer server;

    private final CancelWatch watch = new CancelWatch();

    @BeforeEach
    void open() throws IOException {
        server = new ObjectServer(3);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private InputSpool spool(String... places) {
        ObjectAccount account = new ObjectAccount(KEYS, "us-east-1", server.address());
        return new InputSpool(
                folder,
                new OtherInputs(
                        null,
                        new WebHosts(List.of(places)),
                        "--allow-url HOST",
                        BroughtFiles.HERE,
                        () -> account),
                file -> 1L << 50,
                new Transfer.Patience(Duration.ofSeconds(5), Duration.ofSeconds(5)),
                new Backoff(new Random(7), Duration.ofMillis(1)));
    }

    private byte[] put(String key, int bytes) {
        byte[] noise = new byte[bytes];
        new Random(key.hashCode()).nextBytes(noise);
        server.objects.put("data/" + key, noise);
        return noise;
    }

    private void assertRefused(String name, String... words) {
        try (InputSpool spool = spool("s3://data")) {
            assertThatThrownBy(() -> spool.files(name, MOST, watch))
                    .isInstanceOf(InvalidInputException.class)
                    .satisfies(wrong ->
                            assertThat(wrong.getMessage())
                                    .contains(words)
                                    .doesNotContain(
                                            "\n",
                                            "java.",
                                            "its-account",
                                            "its-secret",
                                            "its-token"));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void bringsAnObjectOnce() {
        byte[] body = put("a b/grüße +%#&=.csv.gz", 1 << 20);

        try (InputSpool spool = spool("s3://data/a b")) {
            Path file = spool.file("s3://data/a b/grüße +%#&=.csv.gz", watch);

            assertThat(file).hasBinaryContent(body);
            assertThat(file.toString()).endsWith(".csv.gz");
            assertThat(spool.file("S3://data/a b/grüße +%#&=.csv.gz", watch)).isEqualTo(file);
            assertThat(spool.told(file + ":3: wrong"))
                    .isEqualTo("s3://data/a b/grüße +%#&=.csv.gz:3: wrong");
        }
        assertThat(server.asked)
                .containsExactly("GET /data/a%20b/gr%C3%BC%C3%9Fe%20%2B%25%23%26%3D.csv.gz");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void bringsAnEmptyObject() {
        put("empty.csv", 0);

        try (InputSpool spool = spool("s3://data")) {
            assertThat(spool.file("s3://data/empty.csv", watch)).isEmptyFile();
        }
    }

    @Test
    void goesOnWhereAnAnswerBrokeOffWithTheSameVersion() {
        byte[] body = put("a.csv", 300_000);
        server.faults.add(server.half());

        try (InputSpool spool = spool("s3://data")) {
            assertThat(spool.file("s3://data/a.csv", watch)).hasBinaryContent(body);
        }
        assertThat(server.asked)
                .containsExactly(
                        "GET /data/a.csv",
                        "GET /data/a.csv bytes=150000- " + ObjectServer.etag(body));
    }

    @Test
    void refusesAnObjectThatChangesInTheMiddle() {
        put("a.csv", 300_000);
        ObjectServer.Fault half = server.half();
        server.faults.add(exchange -> {
            boolean answered = half.answer(exchange);
            put("other", 300_000);
            server.objects.put("data/a.csv", server.objects.get("data/other"));
            return answered;
        });

        assertRefused("s3://data/a.csv", "was changed while it was read", "status 412");
    }

    @Test
    void refusesAnObjectThatChangesThoughTheServerDoesNotMind() {
        put("a.csv", 300_000);
        server.faults.add(server.half());
        server.faults.add(exchange -> {
            exchange.getResponseHeaders().set("ETag", "\"other\"");
            exchange.getResponseHeaders().set("Content-Range", "bytes 150000-299999/300000");
            exchange.sendResponseHeaders(206, 150_000);
            exchange.getResponseBody().write(new byte[150_000]);
            exchange.close();
            return true;
        });

        assertRefused("s3://data/a.csv", "was changed while it was read");
    }

    @Test
    void givesUpAfterSixAnswersThatBreakOff() {
        put("a.csv", 64);
        int many = 50; // the client of the JDK asks again by itself, too
        for (int i = 0; i < many; i++) {
            server.faults.add(exchange -> {
                exchange.close();
                return true;
            });
        }

        assertRefused("s3://data/a.csv", "broke off after 0 bytes");

        assertThat(server.asked).hasSizeBetween(Backoff.MAX_TRIES, many - 1);
    }

    @Test
    void asksABusyStoreAgain() {
        byte[] body = put("a.csv", 100);
        server.faults.add(ObjectServer.status(503, "SlowDown"));
        server.faults.add(ObjectServer.status(500, "InternalError"));

        try (InputSpool spool = spool("s3://data")) {
            assertThat(spool.file("s3://data/a.csv", watch)).hasBinaryContent(body);
            server.faults.add(ObjectServer.status(503, "SlowDown"));
            assertThat(spool.files("s3://data/", MOST, watch)).hasSize(1);
        }
    }

    @Test
    void asksABusyStoreNoMoreThanSixTimes() {
        for (int i = 0; i < 20; i++) {
            server.faults.add(ObjectServer.status(503, "SlowDown"));
        }

        assertRefused("s3://data/a.csv", "busy or has failed", "status 503");
        assertRefused("s3://data/*.csv", "busy or has failed", "status 503");

        assertThat(server.asked).hasSize(2 * Backoff.MAX_TRIES);
    }

    @ParameterizedTest
    @CsvSource({
        "403, AccessDenied, may not do that",
        "404, NoSuchKey, there is no such object",
        "400, InvalidArgument, (InvalidArgument)"
    })
    void asksOnceWhereItIsRefused(int status, String code, String words) {
        server.faults.add(ObjectServer.status(status, code));

        assertRefused("s3://data/a.csv", "s3://data/a.csv can't be read", words);

        assertThat(server.asked).hasSize(1);
    }

    @Test
    void asksNobodyWhereNoPlaceIsAllowed() {
        try (InputSpool none = spool();
                InputSpool web = spool("*");
                InputSpool other = spool("s3://data/b", "s3+write://else")) {
            for (InputSpool spool : List.of(none, web, other)) {
                for (String name :
                        List.of("s3://data/a/x.csv", "s3://data/a/*.csv", "s3://data/a/")) {
                    assertThatThrownBy(() -> spool.files(name, MOST, watch))
                            .isInstanceOf(InvalidInputException.class)
                            .hasMessageContaining("--allow-url s3://data/a");
                }
            }
        }
        assertThat(server.asked).isEmpty();
    }

    @Test
    void bringsAllOfAFolderPageByPage() {
        IntStream.range(0, 7).forEach(i -> put("f/part-" + i + ".csv", 10 + i));
        put("f/_SUCCESS", 5);
        put("f/.hidden", 5);
        put("f/empty.csv", 0);
        put("f/", 0);
        put("f/deeper/part-0.csv", 5);
        put("fine.csv", 5);

        try (InputSpool spool = spool("s3://data/f")) {
            assertThat(spool.files("s3://data/f/", MOST, watch))
                    .extracting(file -> file.getFileName() + " " + file.toFile().length())
                    .containsExactly(
                            IntStream.range(0, 7)
                                    .mapToObj(i -> "part-%d.csv %d".formatted(i, 10 + i))
                                    .toArray(String[]::new));
            assertThat(spool.files("s3://data/f/part-?.csv", MOST, watch)).hasSize(7);
            assertThat(spool.files("s3://data/f/*-3.*", MOST, watch)).hasSize(1);
        }
        assertThat(server.asked.stream().filter(one -> one.endsWith("prefix=f%2F"))).hasSize(8);
        assertThat(server.asked.stream().filter(one -> one.contains("part-0"))).hasSize(1);
    }

    @Test
    void refusesTooManyObjectsAndNone() {
        IntStream.range(0, 7).forEach(i -> put("f/part-" + i + ".csv", 10));

        try (InputSpool spool = spool("s3://data")) {
            assertThatThrownBy(() -> spool.files("s3://data/f/", 6, watch))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("more than 6 files");
            assertThatThrownBy(() -> spool.file("s3://data/f/", watch))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("may be several objects");
        }
        assertRefused("s3://data/f/*.gz", "there is no object");
    }

    @Test
    void refusesAListThatLeadsToItself() {
        byte[] page =
                "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>"
                        .getBytes(UTF_8);
        for (int i = 0; i < 9; i++) {
            server.faults.add(exchange -> {
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
                exchange.close();
                return true;
            });
        }

        assertRefused("s3://data/f/", "can't be listed", "the same page");

        assertThat(server.asked).hasSize(2);
    }

    @Test
    void saysThatWhatAnswersIsNoStore() {
        server.faults.add(exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("hello".getBytes(UTF_8));
            exchange.close();
            return true;
        });

        assertRefused("s3://data/f/", "is no object store", "AWS_ENDPOINT_URL");
    }

    @Test
    void stopsWaitingForABusyStoreWhenTheJobIsCancelled() {
        for (int i = 0; i < 20; i++) {
            server.faults.add(exchange -> {
                watch.cancelled = true;
                return ObjectServer.status(503, "SlowDown").answer(exchange);
            });
        }

        try (InputSpool spool = spool("s3://data")) {
            assertThatThrownBy(() -> spool.file("s3://data/a.csv", watch))
                    .isInstanceOf(JobCancelledException.class);
        }
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void waitsLongerEachTimeAndNeverTheSame() {
        Backoff backoff = new Backoff(new Random(7), Duration.ofMillis(400));

        assertThat(backoff.length(1)).isBetween(Duration.ofMillis(200), Duration.ofMillis(400));
        assertThat(backoff.length(3)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
        assertThat(backoff.length(60)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertThat(backoff.length(5)).isNotEqualTo(backoff.length(5));
    }
}
