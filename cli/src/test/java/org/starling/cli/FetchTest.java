package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JobRequest;

/** {@code --fetch} over a service without a cluster. */
final class FetchTest {
    private static final String REPORT =
            "{\"job\": 1, \"script\": \"s\", \"status\": \"succeeded\", \"tasks\": []}";

    @TempDir Path folder;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    @BeforeEach
    void writeAScript() throws IOException {
        Files.writeString(
                folder.resolve("s.json"),
                "{\"name\": \"s\", \"tasks\": [{\"task\": \"test.obey\"}]}");
        service.afterSubmit(id -> service.end(id, Status.SUCCEEDED, REPORT));
    }

    @Test
    void bringsAllThatTheJobHasWritten() throws IOException {
        put("ranks.txt", "1 0.5\n");
        put("deep/er/levels.txt", "");

        assertThat(run("submit", "s.json", "--fetch", "out")).isEqualTo(ExitCode.DONE);

        assertThat(folder.resolve("out/ranks.txt")).hasContent("1 0.5\n");
        assertThat(folder.resolve("out/deep/er/levels.txt")).isEmptyFile();
        assertThat(service.requests()).singleElement().matches(JobRequest::fetch);
        JobRequest asked = service.requests().getFirst();
        assertThat(JobRequest.parse(asked.json())).isEqualTo(asked);
        assertThat(service.results().list(1)).isEmpty();
    }

    @Test
    void leavesAllThereWhenANameIsTakenAndFetchesItLater() throws IOException {
        put("a.txt", "a");
        put("ranks.txt", "new");
        Files.createDirectory(folder.resolve("out"));
        Files.writeString(folder.resolve("out/ranks.txt"), "old");

        assertThat(run("submit", "s.json", "--fetch", "out")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains("out/ranks.txt is there already, and nothing was fetched")
                .contains("starling report 1 --fetch DIR");
        assertThat(files("out")).containsExactly("ranks.txt");
        assertThat(folder.resolve("out/ranks.txt")).hasContent("old");
        assertThat(run("report", "1", "--fetch", "later")).isEqualTo(ExitCode.DONE);
        assertThat(files("later")).containsExactlyInAnyOrder("a.txt", "ranks.txt");
    }

    @Test
    void leavesNothingWhenOneBreaksOff() throws IOException {
        put("a.txt", "a");
        put("ranks.txt", "longer than that");
        service.results().breakAfter(3);

        assertThat(run("submit", "s.json", "--fetch", "out")).isEqualTo(ExitCode.NO_CLUSTER);

        assertThat(files("out")).isEmpty();
        assertThat(service.results().list(1)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../up.txt", "/tmp/x.txt", "a/../../up.txt", ".hidden", "a/./b", ""})
    void refusesNamesThatWouldLeaveTheFolder(String name) throws IOException {
        put("a.txt", "a");
        put(name, "evil");

        assertThat(run("submit", "s.json", "--fetch", "out")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("can't be fetched");
        assertThat(files("out")).isEmpty();
        assertThat(folder.resolve("up.txt")).doesNotExist();
    }

    @Test
    void followsNoLinkOutOfTheFolder() throws IOException {
        put("sub/a.txt", "a");
        Files.createDirectories(folder.resolve("elsewhere"));
        Files.createDirectories(folder.resolve("out"));
        Files.createSymbolicLink(folder.resolve("out/sub"), folder.resolve("elsewhere"));

        assertThat(run("submit", "s.json", "--fetch", "out")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("a link leads there");
        assertThat(files("elsewhere")).isEmpty();
    }

    @Test
    void refusesToFetchWithoutWaiting() {
        assertThat(run("submit", "s.json", "--fetch", "out", "--detach"))
                .isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(service.requests()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void makesNothingOfAFolderThatIsAFile() {
        assertThat(run("submit", "s.json", "--fetch", "s.json")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(service.requests()).isEmpty();
    }

    private void put(String name, String text) {
        service.results().put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> files(String name) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve(name))) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.resolve(name).relativize(file).toString())
                    .toList();
        }
    }

    private ExitCode run(String... words) {
        ClusterLine.Finder finder = (line, terminal) -> service;
        Commands commands =
                new Commands(List.of(new SubmitCommand(finder), new ReportCommand(finder)));
        return commands.run(words, screen.terminal(folder), new Interruption());
    }
}
