package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.LocalCluster;

/** The tour, with real processes. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DemoCommandTest {
    private static final Pattern FOLDER = Pattern.compile("in (/\\S*starling-demo-\\S+)");

    @TempDir Path folder;

    private final Screen screen = new Screen();

    @BeforeEach
    void choosePorts() throws IOException {
        int port = FreePorts.base();
        Files.writeString(
                folder.resolve("starling.json"),
                "{\"basePort\": %d, \"restPort\": %d, \"memoryPerPeer\": \"256MiB\"}"
                        .formatted(port, port + 90));
    }

    @Test
    @Tag("slow")
    void showsEveryStepAndLeavesNothing() {
        assertThat(run(new Interruption(), "--no-wait")).as(screen.err()).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .contains("$ starling inspect friends.csv")
                .contains("$ starling cluster start --peers 3")
                .contains("$ starling submit tour.json")
                .contains("$ starling query friends path \"")
                .contains("ids are texts")
                .contains("The page of this cluster is http://127.0.0.1:")
                .contains("stopped 4 processes");
        String ranks = screen.out().substring(screen.out().indexOf("graph.pagerank (ranks)"));
        assertThat(ranks.lines().filter(line -> line.strip().startsWith("top")).findFirst())
                .hasValueSatisfying(
                        line -> assertThat(line).containsPattern("\"\\p{L}+ [\\p{L}']+\", 0\\.0"));
        assertThat(demoFolder()).doesNotExist();
    }

    @Test
    @Tag("slow")
    void endsItsClusterWhenSomebodyWantsItTo() throws Exception {
        Interruption interruption = new Interruption();
        CompletableFuture<ExitCode> code =
                CompletableFuture.supplyAsync(() -> {
                    ExitCode end = run(interruption);
                    interruption.finish(end);
                    return end;
                });
        while (!screen.out().contains("Ctrl-C ends") && !code.isDone()) {
            LockSupport.parkNanos(50_000_000);
        }
        List<ClusterProcess> processes =
                LocalCluster.find(demoFolder().resolve(".starling/cluster"))
                        .orElseThrow()
                        .processes();
        assertThat(processes).allMatch(ClusterProcess::isRunning);

        assertThat(interruption.request()).isEqualTo(ExitCode.DONE);

        assertThat(code.get(1, TimeUnit.MINUTES)).isEqualTo(ExitCode.DONE);
        assertThat(processes)
                .noneMatch(process ->
                        ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive).isPresent());
        assertThat(demoFolder()).doesNotExist();
    }

    @Test
    void makesTheSameFriendsEachTime() throws IOException {
        Path one = folder.resolve("one.csv");
        Path other = folder.resolve("other.csv");

        new DemoPeople().writeFriends(one);
        new DemoPeople().writeFriends(other);

        assertThat(one).hasSameTextualContentAs(other);
        List<String> lines = Files.readAllLines(one);
        assertThat(lines).hasSizeBetween(6_000, 9_000).doesNotHaveDuplicates();
        assertThat(IntStream.range(0, DemoPeople.PEOPLE).mapToObj(DemoPeople::name))
                .doesNotHaveDuplicates();
    }

    private ExitCode run(Interruption interruption, String... options) {
        String[] words = new String[options.length + 1];
        words[0] = "demo";
        System.arraycopy(options, 0, words, 1, options.length);
        return Commands.all().run(words, screen.terminal(folder), interruption);
    }

    private Path demoFolder() {
        Matcher found = FOLDER.matcher(screen.out());
        assertThat(found.find()).as(screen.out()).isTrue();
        return Path.of(found.group(1));
    }
}
