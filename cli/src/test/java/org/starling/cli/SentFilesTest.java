package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JobRequest;

/** {@code submit --send} to a service whose files are in another folder. */
final class SentFilesTest {
    private static final String REPORT =
            "{\"job\": 1, \"script\": \"s\", \"status\": \"succeeded\", \"tasks\": []}";

    private static final long LARGE_BYTES = (20 << 20) + 1;

    @TempDir Path home;
    @TempDir Path root;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    /** What the files that were sent held while the job was there. */
    private final List<byte[]> read = new ArrayList<>();

    @BeforeEach
    void writeAScript() throws IOException {
        Files.writeString(
                home.resolve("s.json"),
                "{\"name\": \"s\", \"tasks\": [{\"task\": \"test.obey\"}]}");
        Files.writeString(home.resolve("a.txt"), "1 2\n");
        service.setUploads(root, InstantSource.system());
        service.afterSubmit(id -> {
            for (String file : sent().values()) {
                read.add(bytes(Path.of(file)));
            }
            service.end(id, Status.SUCCEEDED, REPORT);
        });
    }

    @Test
    void bringsFilesForAsLongAsTheJobTakes() throws IOException {
        Files.writeString(home.resolve("b.txt"), "");

        assertThat(run("submit", "s.json", "--send", "a.txt,b.txt")).isEqualTo(ExitCode.DONE);

        assertThat(sent())
                .containsOnlyKeys(
                        home.resolve("a.txt").toString(), home.resolve("b.txt").toString());
        assertThat(sent().values())
                .allMatch(file -> Path.of(file).startsWith(root.resolve(".starling/uploads")));
        assertThat(read).extracting(String::new).containsExactlyInAnyOrder("1 2\n", "");
        assertThat(service.uploads().list()).as("gone with the job").isEmpty();
        JobRequest asked = service.requests().getFirst();
        assertThat(JobRequest.parse(asked.json())).isEqualTo(asked);
    }

    @Test
    void sendsALargeFileInPiecesAndSaysHowFarItIs() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(home.resolve("l.bin").toFile(), "rw")) {
            file.setLength(LARGE_BYTES);
            file.seek(LARGE_BYTES - 1);
            file.write(7);
        }

        assertThat(run("submit", "s.json", "--send", "l.bin")).isEqualTo(ExitCode.DONE);

        assertThat(read.getFirst()).hasSize((int) LARGE_BYTES).endsWith(7);
        assertThat(screen.err().lines())
                .contains(
                        "l.bin: 8.0 MiB of 20.0 MiB sent",
                        "l.bin: 16.0 MiB of 20.0 MiB sent",
                        "l.bin: 20.0 MiB of 20.0 MiB sent");
    }

    @Test
    void leavesFilesToAJobThatItDoesNotWaitFor() {
        assertThat(run("submit", "s.json", "--send", "a.txt", "--detach")).isEqualTo(ExitCode.DONE);

        assertThat(service.uploads().list()).hasSize(1);
    }

    @Test
    void leavesNothingThereWhenTheJobIsNotTaken() {
        service.setFull("100 jobs wait already");

        assertThat(run("submit", "s.json", "--send", "a.txt")).isEqualTo(ExitCode.NO_CLUSTER);

        assertThat(service.uploads().list()).isEmpty();
    }

    @Test
    void refusesFilesThatAreNotHereBeforeAnythingIsSent() {
        assertThat(run("submit", "s.json", "--send", "a.txt,none.txt"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("submit", "s.json", "--send", ",")).isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(screen.err())
                .contains("--send: there is no file " + home.resolve("none.txt"))
                .contains("--send needs the names of files");
        assertThat(service.requests()).isEmpty();
        assertThat(service.uploads().list()).isEmpty();
    }

    private Map<String, String> sent() {
        return service.requests().getFirst().sent();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
    }

    private ExitCode run(String... words) {
        ClusterLine.Finder finder = (line, terminal) -> service;
        Commands commands = new Commands(List.of(new SubmitCommand(finder)));
        return commands.run(words, screen.terminal(home), new Interruption());
    }
}
