package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.starling.compute.script.TaskReport;

final class ProgressTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final AtomicLong clock = new AtomicLong();

    @Test
    void saysWhenTasksBeginAndEnd() {
        Progress progress = progress(false, false);

        progress.expectTasks(7);
        progress.taskStarted(2, "graph.bfs", "b");
        progress.taskEnded(
                new TaskReport("graph.bfs", "b", 0.126, 4, 1234, Map.of(), List.of(), null));
        progress.taskStarted(3, "graph.drop", null);
        progress.taskEnded(
                new TaskReport("graph.drop", null, 0.001, 0, 0, Map.of(), List.of(), null));

        assertThat(lines())
                .containsExactly(
                        "[2/7] graph.bfs (b)",
                        "      done in 0.13 s: 4 supersteps, 1,234 messages",
                        "[3/7] graph.drop",
                        "      done in 0.00 s");
    }

    @Test
    void holdsItsTongueBetweenIntervals() {
        Progress progress = progress(false, false);

        progress.superstep(0, 10, 20);
        clock.addAndGet(INTERVAL.toNanos());
        progress.superstep(1, 1000, 2000);
        progress.superstep(2, 30, 40);
        progress.progress("reading", 1, 4);
        clock.addAndGet(INTERVAL.toNanos());
        progress.progress("reading", 1024, 4096);
        clock.addAndGet(INTERVAL.toNanos());
        progress.progress("reading", 2048, 0);

        assertThat(lines())
                .containsExactly(
                        "      superstep 1: 1,000 active, 2,000 messages so far",
                        "      reading: 1,024 of 4,096 (25 %)",
                        "      reading: 2,048");
    }

    @Test
    void saysNothingOfSuperstepsThatHadNothingToDo() {
        Progress progress = progress(false, false);

        for (int run = 0; run < 3; run++) {
            clock.addAndGet(INTERVAL.toNanos());
            progress.superstep(0, 0, 0);
        }

        assertThat(lines()).isEmpty();
    }

    @Test
    void saysEverySuperstepWhenVerbose() {
        Progress progress = progress(false, true);

        progress.superstep(0, 10, 20);
        progress.superstep(1, 30, 40);

        assertThat(lines()).hasSize(2);
    }

    @Test
    void showsABarOnATerminalAndTakesItAwayForTheNextLine() {
        Progress progress = progress(true, false);

        progress.progress("reading", 1, 4);
        progress.progress("reading", 4, 4);
        progress.line("next");
        progress.close();

        assertThat(text()).contains("reading").contains("100%").endsWith("next\n");
    }

    private Progress progress(boolean interactive, boolean verbose) {
        return new Progress(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                interactive,
                verbose,
                INTERVAL,
                clock::get);
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private List<String> lines() {
        return text().lines().toList();
    }
}
