package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JobRequest;

/** Jobs that somebody watches. */
final class JobsCommandTest {
    private static final String SCRIPT = "{\"tasks\": []}";

    @TempDir Path folder;
    private final Screen screen = new Screen();
    private final FakeService service = new FakeService();
    private final Interruption interruption = new Interruption();

    @Test
    void listsJobsAgainUntilItIsInterrupted() {
        service.submit(new JobRequest("s", SCRIPT, Map.of(), false, folder), 1);
        CompletableFuture<ExitCode> watch = CompletableFuture.supplyAsync(this::watch);
        awaitOnScreen(watch, "queued");

        service.move(1, Status.RUNNING, 1);
        awaitOnScreen(watch, "running");
        ExitCode end = interruption.request();

        assertThat(end).isEqualTo(ExitCode.DONE);
        assertThat(watch).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(ExitCode.DONE);
        assertThat(screen.out())
                .startsWith(
                        """
                          job  status  attempts  task  at  to go  name
                          1    queued  0                          s
                        """)
                .endsWith(
                        """
                          job  status   attempts  task  at  to go  name
                          1    running  1                          s

                        """);
    }

    @Test
    void watchesNothingThatAProgramIsToRead() {
        assertThat(run("jobs", "--watch", "--json")).isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(screen.err())
                .isEqualTo("starling: --watch and --json exclude each other; give one\n");
    }

    private ExitCode watch() {
        ExitCode end = run("jobs", "--watch");
        interruption.finish(end);
        return end;
    }

    private ExitCode run(String... words) {
        return new Commands(List.of(new JobsCommand((line, terminal) -> service)))
                .run(words, screen.terminal(folder), interruption);
    }

    /** The test's time-out ends a wait in vain. */
    private void awaitOnScreen(CompletableFuture<ExitCode> watch, String text) {
        while (!screen.out().contains(text)) {
            assertThat(watch).isNotDone();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
