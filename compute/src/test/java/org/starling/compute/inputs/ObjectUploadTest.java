package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.objects.ObjectAccount;
import org.starling.compute.objects.ObjectKeys;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectRequests;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;

class ObjectUploadTest {
    private static final int PART = 100_000;
    private static final Duration SILENCE = Duration.ofMillis(1500);
    private static final ObjectName NAME = ObjectName.parse("s3://data/out/ranks.csv");

    @TempDir private Path folder;
    private ObjectServer server;
    private ObjectStore store;

    private final CancelWatch watch = new CancelWatch();

    @BeforeEach
    void open() throws IOException {
        server = new ObjectServer(3);
        store =
                new ObjectStore(
                        new ObjectRequests(
                                new ObjectAccount(
                                        new ObjectKeys("AKID", "SECRET", ""),
                                        "us-east-1",
                                        server.address()),
                                InstantSource.system()),
                        new Transfer.Patience(Duration.ofSeconds(5), SILENCE),
                        new Backoff(new Random(7), Duration.ofMillis(1)),
                        watch);
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private Path file(int bytes) throws IOException {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return Files.write(folder.resolve("f" + bytes), noise);
    }

    private void send(Path file) throws IOException {
        new ObjectUpload(store, PART).send(file, NAME);
    }

    private void assertHas(Path file) throws IOException {
        assertThat(server.objects).containsOnlyKeys("data/out/ranks.csv");
        assertThat(server.objects.get("data/out/ranks.csv")).isEqualTo(Files.readAllBytes(file));
        assertThat(server.uploads).isEmpty();
    }

    private void assertHasNothing() {
        assertThat(server.objects).isEmpty();
        assertThat(server.uploads).isEmpty();
    }

    @Test
    void sendsSmallFilesAtOnce() throws IOException {
        for (int bytes : List.of(0, 1, PART)) {
            send(file(bytes));

            assertHas(file(bytes));
        }
        assertThat(server.asked).hasSize(3).allMatch(one -> one.equals("PUT /data/out/ranks.csv"));
    }

    @Test
    void sendsLargeFilesInParts() throws IOException {
        Path file = file(2 * PART + 1);

        send(file);

        assertHas(file);
        assertThat(server.asked)
                .containsExactly(
                        "POST /data/out/ranks.csv?uploads=",
                        "PUT /data/out/ranks.csv?partNumber=1&uploadId=upload-0%261",
                        "PUT /data/out/ranks.csv?partNumber=2&uploadId=upload-0%261",
                        "PUT /data/out/ranks.csv?partNumber=3&uploadId=upload-0%261",
                        "POST /data/out/ranks.csv?uploadId=upload-0%261");
    }

    @Test
    void sendsAPartAgainThatAStoreWasTooBusyFor() throws IOException {
        Path file = file(2 * PART);
        server.faults.add(exchange -> false);
        server.faults.add(exchange -> false);
        server.faults.add(ObjectServer.status(503, "SlowDown"));
        server.faults.add(exchange -> {
            exchange.close();
            return true;
        });

        send(file);

        assertHas(file);
    }

    @Test
    void leavesNothingWhenAPartIsRefused() throws IOException {
        Path file = file(3 * PART);
        server.faults.add(exchange -> false);
        server.faults.add(exchange -> false);
        server.faults.add(ObjectServer.status(403, "AccessDenied"));

        assertThatThrownBy(() -> send(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("s3://data/out/ranks.csv can't be written")
                .hasMessageContaining("s3:PutObject");

        assertHasNothing();
        assertThat(server.asked.getLast()).startsWith("DELETE ").contains("uploadId=upload-0");
    }

    @Test
    void leavesNothingWhenTheJobIsCancelled() throws IOException {
        Path file = file(3 * PART);
        server.faults.add(exchange -> false);
        server.faults.add(exchange -> {
            watch.cancelled = true;
            return ObjectServer.status(503, "SlowDown").answer(exchange);
        });

        assertThatThrownBy(() -> send(file)).isInstanceOf(JobCancelledException.class);

        assertHasNothing();
    }

    @Test
    void leavesNothingWhenTheJobsThreadIsInterrupted() throws IOException {
        Path file = file(3 * PART);
        Thread here = Thread.currentThread();
        server.faults.add(exchange -> false);
        server.faults.add(exchange -> {
            here.interrupt();
            return false;
        });

        assertThatThrownBy(() -> send(file)).isInstanceOf(JobCancelledException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertHasNothing();
    }

    @Test
    void givesUpCleaningUpAtTheFirstFailure() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        for (int i = 0; i < 9; i++) {
            Files.writeString(parts.resolve("part-0000" + i), "0");
        }
        for (int i = 0; i < 6; i++) {
            server.faults.add(exchange -> false);
        }
        server.faults.add(ObjectServer.status(403, "AccessDenied"));
        server.faults.add(ObjectServer.status(403, "AccessDenied"));

        assertThatThrownBy(() -> send(parts)).isInstanceOf(InvalidInputException.class);

        assertThat(server.asked.stream().filter(one -> one.startsWith("DELETE"))).hasSize(1);
    }

    @Test
    void givesUpCleaningUpWhenInterruptedAgain() throws IOException {
        Path file = file(3 * PART);
        Thread here = Thread.currentThread();
        server.faults.add(exchange -> false);
        server.faults.add(ObjectServer.status(403, "AccessDenied"));
        for (int i = 0; i < 9; i++) {
            server.faults.add(exchange -> {
                here.interrupt();
                return ObjectServer.status(503, "SlowDown").answer(exchange);
            });
        }

        assertThatThrownBy(() -> send(file)).isInstanceOf(InvalidInputException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.asked).hasSize(3);
    }

    @Test
    void waitsNoLongerThanTheTimeThatACleanUpHas() {
        for (int i = 0; i < 9; i++) {
            server.faults.add(ObjectServer.status(503, "SlowDown"));
        }

        try (ObjectStore none = store.uncancelled(Duration.ZERO)) {
            assertThatThrownBy(() -> none.list(NAME, 1)).isInstanceOf(JobCancelledException.class);
        }
    }

    @Test
    void asksAgainWhenTheEndFailsAfterItHadBegunToAnswer() throws IOException {
        Path file = file(PART + 1);
        answerAsUsual(3); // until the end
        server.faults.add(ObjectServer.status(200, "InternalError"));

        send(file);

        assertHas(file);
    }

    @Test
    void waitsForAnEndThatTakesLongAsLongAsSomethingComes() throws IOException {
        Path file = file(PART + 1);
        answerAsUsual(3); // until the end
        byte[] blank = {' '};
        byte[] end = "<CompleteMultipartUploadResult/>".getBytes(UTF_8);
        server.faults.add(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 6; i++) {
                LockSupport.parkNanos(SILENCE.toNanos() / 3);
                exchange.getResponseBody().write(blank);
                exchange.getResponseBody().flush();
            }
            exchange.getResponseBody().write(end);
            exchange.close();
            return true;
        });

        send(file);

        assertThat(server.asked).hasSize(4);
    }

    @Test
    void takesALostAnswerToTheEndForAnEnd() throws IOException {
        Path file = file(PART + 1);
        answerAsUsual(3); // until the end
        server.faults.add(exchange -> {
            server.objects.put("data/out/ranks.csv", Files.readAllBytes(file));
            server.uploads.clear();
            exchange.close();
            return true;
        });

        send(file);

        assertHas(file);
    }

    @Test
    void doesNotTakeAnUploadThatIsGoneForAnEnd() throws IOException {
        Path file = file(PART + 1);
        answerAsUsual(3); // until the end
        server.faults.add(ObjectServer.status(404, "NoSuchUpload"));

        assertThatThrownBy(() -> send(file)).isInstanceOf(InvalidInputException.class);

        assertHasNothing();
    }

    @Test
    void sendsTheFilesOfAFolderIntoAnEmptyOne() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("part-00000.csv"), "0");
        Files.writeString(parts.resolve("part-00001.csv"), "1");
        server.objects.put("data/out/ranks.csv.old/x", new byte[1]);
        server.objects.put("data/out/ranks.csv/", new byte[0]);

        send(parts);

        assertThat(server.objects)
                .containsKeys(
                        "data/out/ranks.csv/part-00000.csv", "data/out/ranks.csv/part-00001.csv");
        server.objects.put("data/out/ranks.csv/notes.txt", new byte[1]);
        assertThatThrownBy(() -> send(parts))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("s3://data/out/ranks.csv/ is not empty");
    }

    @Test
    void replacesThePartsOfAnEarlierAttempt() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("part-00000.csv"), "0");
        for (int i = 0; i < 5; i++) {
            server.objects.put("data/out/ranks.csv/part-0000" + i + ".csv", new byte[9]);
        }

        send(parts);

        assertThat(server.objects).containsOnlyKeys("data/out/ranks.csv/part-00000.csv");
        assertThat(server.objects.get("data/out/ranks.csv/part-00000.csv")).hasSize(1);
    }

    @Test
    void asksAgainWhenAStoreThatHasAnsweredFallsSilent() throws IOException {
        Path file = file(PART + 1);
        server.faults.add(exchange -> false);
        server.faults.add(exchange -> {
            LockSupport.parkNanos(SILENCE.toNanos() * 5 / 4);
            exchange.close();
            return true;
        });

        send(file);

        assertHas(file);
    }

    @Test
    void asksAgainWhenAStoreThatHasAnsweredTakesNoConnection() throws IOException {
        Path file = file(1);
        send(file);
        server.close();

        assertThatThrownBy(() -> send(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("does not answer: it refuses the connection; try again");
        try (ObjectStore fresh = store.uncancelled(SILENCE)) {
            assertThatThrownBy(() -> new ObjectUpload(fresh).send(file, NAME))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("refuses the connection; check AWS_ENDPOINT_URL");
        }
    }

    @Test
    void leavesNoneOfAFolderWhenOneIsRefused() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("part-00000.csv"), "0");
        Files.writeString(parts.resolve("part-00001.csv"), "1");
        server.faults.add(exchange -> false);
        server.faults.add(exchange -> false);
        server.faults.add(ObjectServer.status(403, "AccessDenied"));

        assertThatThrownBy(() -> send(parts)).isInstanceOf(InvalidInputException.class);

        assertHasNothing();
    }

    /** So many requests before the next fault. */
    private void answerAsUsual(int requests) {
        for (int i = 0; i < requests; i++) {
            server.faults.add(exchange -> false);
        }
    }
}
