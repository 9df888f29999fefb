package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.objects.ObjectAccount;
import org.starling.compute.objects.ObjectKeys;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectRefusal;
import org.starling.compute.objects.ObjectRequests;
import org.starling.graph.InvalidInputException;

/**
 * Against a server of the protocol that others have written and that checks all signatures: moto
 * (Python), as {@code .ci/run} installs it into {@code .venv}. Skipped where it is not: older ones
 * that may be on the path check signatures of other addresses than those that they were asked for.
 */
class ForeignObjectStoreTest {
    private static final InputSpool.Watch NOBODY =
            new InputSpool.Watch() {
                @Override
                public void checkCancelled() {}

                @Override
                public void progress(String name, long bytes, long of) {}
            };

    /** Actions on accounts that are allowed to everybody: those of {@link #open}. */
    private static final int OPEN_ACTIONS = 3;

    private static final int TRIES = 300;
    private static final String POLICY =
            "%7B%22Version%22:%222012-10-17%22,%22Statement%22:%5B%7B%22Effect%22:%22Allow%22,%22Action%22:%22s3:*%22,%22Resource%22:%22*%22%7D%5D%7D";

    @TempDir private static Path logs;
    @TempDir private Path folder;

    private static Process process;
    private static URI address;
    private static ObjectKeys keys;

    @BeforeAll
    static void open() throws Exception {
        Optional<Path> moto = moto();
        assumeThat(moto)
                .as(".venv/bin/moto_server, a server of the protocol (see .ci/run)")
                .isPresent();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ProcessBuilder builder =
                new ProcessBuilder(
                                moto.orElseThrow().toString(),
                                "-H",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port))
                        .redirectErrorStream(true)
                        .redirectOutput(logs.resolve("moto.log").toFile());
        builder.environment().put("INITIAL_NO_AUTH_ACTION_COUNT", Integer.toString(OPEN_ACTIONS));
        process = builder.start();
        address = URI.create("http://127.0.0.1:" + port);
        String user = "UserName=flock&Version=2010-05-08";
        ask("Action=CreateUser&" + user);
        String made = ask("Action=CreateAccessKey&" + user);
        ask("Action=PutUserPolicy&PolicyName=all&PolicyDocument=" + POLICY + "&" + user);
        keys = new ObjectKeys(inside(made, "AccessKeyId"), inside(made, "SecretAccessKey"), "");
        ObjectName bucket = ObjectName.parse("s3://data/");
        try (ObjectStore store = store()) {
            store.ask(
                    () ->
                            store.requests()
                                    .put(
                                            bucket,
                                            new byte[0],
                                            HttpRequest.BodyPublishers::ofByteArray),
                    bucket,
                    ObjectRefusal.Deed.WRITE);
        }
    }

    @AfterAll
    static void close() throws InterruptedException {
        if (process != null) {
            process.destroy();
            process.waitFor();
        }
    }

    private static Optional<Path> moto() {
        List<Path> places = new ArrayList<>();
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            places.add(at.resolve(".venv/bin/moto_server"));
        }
        return places.stream().filter(Files::isExecutable).findFirst();
    }

    /** The server answers some time after its process has begun. */
    private static String ask(String form) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(address)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .header(
                                    "Authorization",
                                    "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=x")
                            .POST(HttpRequest.BodyPublishers.ofString(form))
                            .build();
            for (int tries = 1; ; tries++) {
                try {
                    HttpResponse<String> answer =
                            client.send(request, HttpResponse.BodyHandlers.ofString());
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                    return answer.body();
                } catch (IOException notYet) {
                    if (tries == TRIES || !process.isAlive()) {
                        throw new AssertionError(
                                Files.readString(logs.resolve("moto.log")), notYet);
                    }
                    Thread.sleep(100);
                }
            }
        }
    }

    private static String inside(String xml, String element) {
        Matcher found = Pattern.compile("<%s>([^<]+)<".formatted(element)).matcher(xml);
        assertThat(found.find()).as(xml).isTrue();
        return found.group(1);
    }

    private static InputSpool spool(Path folder, ObjectKeys keys, String... places) {
        ObjectAccount account = new ObjectAccount(keys, "us-east-1", address);
        return new InputSpool(
                folder,
                new OtherInputs(
                        null,
                        new WebHosts(List.of(places)),
                        "--allow-url HOST",
                        BroughtFiles.HERE,
                        () -> account),
                file -> 1L << 50,
                Transfer.Patience.USUAL,
                new Backoff(new Random(7), Duration.ofMillis(10)));
    }

    private static ObjectStore store() {
        return new ObjectStore(
                new ObjectRequests(
                        new ObjectAccount(keys, "us-east-1", address), InstantSource.system()),
                Transfer.Patience.USUAL,
                Backoff.usual(),
                NOBODY);
    }

    private void write(String name, byte[] bytes) throws IOException {
        try (InputSpool spool = spool(folder, keys, "s3+write://data")) {
            Files.write(spool.result(name), bytes);
            spool.sendResults(NOBODY);
        }
    }

    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return noise;
    }

    @Test
    void takesAndGivesObjectsUnderAllNames() throws IOException {
        for (String key :
                List.of(
                        "plain.csv",
                        "a b/+%&=#?;:@$,!'().csv",
                        "grüße/日本 🐦.csv",
                        "x//y",
                        "~-._/z")) {
            String name = "s3://data/names/" + key.replace("?", "");
            write(name, key.getBytes(UTF_8));

            try (InputSpool spool = spool(folder, keys, "s3://data")) {
                assertThat(spool.file(name, NOBODY)).hasBinaryContent(key.getBytes(UTF_8));
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void takesAnEmptyObject() throws IOException {
        write("s3://data/empty.csv", new byte[0]);

        try (InputSpool spool = spool(folder, keys, "s3://data")) {
            assertThat(spool.file("s3://data/empty.csv", NOBODY)).isEmptyFile();
        }
    }

    @Test
    void takesALargeObjectInParts() throws IOException {
        byte[] bytes = noise(ObjectUpload.PART_BYTES + 12_345);

        write("s3://data/large/a.bin", bytes);

        try (InputSpool spool = spool(folder, keys, "s3://data")) {
            assertThat(spool.file("s3://data/large/a.bin", NOBODY)).hasBinaryContent(bytes);
        }
    }

    @Test
    @Tag("slow")
    void listsMoreThanOnePage() throws IOException {
        try (InputSpool spool = spool(folder, keys, "s3+write://data")) {
            Path parts = Files.createDirectory(spool.result("s3://data/many"));
            for (int i = 0; i < 1_050; i++) {
                Files.writeString(parts.resolve("part-%05d.csv".formatted(i)), i + " 1\n");
            }
            spool.sendResults(NOBODY);
        }

        try (ObjectStore store = store()) {
            assertThat(store.list(ObjectName.parse("s3://data/many/part-*.csv"), 2_000))
                    .hasSize(1_050)
                    .startsWith(ObjectName.parse("s3://data/many/part-00000.csv"))
                    .endsWith(ObjectName.parse("s3://data/many/part-01049.csv"));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesKeysThatAreWrong() {
        ObjectKeys wrong = new ObjectKeys(keys.accessKey(), "its-secret", "");
        ObjectKeys unknown = new ObjectKeys("its-account", "its-secret", "");

        for (ObjectKeys one : List.of(wrong, unknown)) {
            try (InputSpool spool = spool(folder, one, "s3://data")) {
                assertThatThrownBy(() -> spool.file("s3://data/x", NOBODY))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("does not know this node's keys")
                        .hasMessageNotContaining("its-");
            }
        }
    }

    @Test
    void saysWhatIsNotThere() {
        try (InputSpool spool = spool(folder, keys, "s3+write://*")) {
            assertThatThrownBy(() -> spool.file("s3://data/none", NOBODY))
                    .hasMessageContaining("there is no such object");
            assertThatThrownBy(() -> spool.file("s3://no-bucket/none", NOBODY))
                    .hasMessageContaining("there is no bucket no-bucket");
            assertThatThrownBy(() -> spool.files("s3://no-bucket/", 10, NOBODY))
                    .hasMessageContaining("there is no bucket no-bucket");
            assertThatThrownBy(() -> spool.files("s3://data/none/", 10, NOBODY))
                    .hasMessageContaining("there is no object");
        }
    }
}
