package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.PeerMemory;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.RunRecord;
import org.starling.compute.SuperstepRecord;
import org.starling.compute.script.ScriptReport.Status;
import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

final class ScriptRunnerTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir Path folder;

    private final AtomicLong clock = new AtomicLong();
    private final FakeHost host = new FakeHost();
    private final List<String> heard = new ArrayList<>();
    private final List<Long> ran = new ArrayList<>();

    @Test
    void runsTasksInOrderAndReportsThem() {
        ScriptReport report = run("{\"tasks\": [" + count(1, "a") + ", " + count(2, null) + "]}");

        assertThat(report.status()).isEqualTo(Status.SUCCEEDED);
        assertThat(ran).containsExactly(1L, 2L);
        assertThat(JsonText.write(report.tree()))
                .isEqualTo(
                        """
                        {"script": "s.json", "status": "succeeded", "seconds": 2.0, "peers": 2, \
                        "processes": true, "recoveries": 0, "tasks": [\
                        {"task": "test.count", "as": "a", "seconds": 1.0, "supersteps": 3, \
                        "messages": 100, "result": {"value": 1, "big": false}}, \
                        {"task": "test.count", "seconds": 1.0, "supersteps": 3, \
                        "messages": 100, "result": {"value": 2, "big": false}}]}\
                        """);
    }

    @Test
    void tellsHowFarItIs() {
        run("{\"tasks\": [" + count(1, "a") + ", " + count(2, null) + "]}");

        assertThat(heard)
                .containsExactly(
                        "1 test.count a",
                        "half 1/2",
                        "ended 1",
                        "2 test.count null",
                        "half 1/2",
                        "ended 2");
    }

    @Test
    void takesTheBranchThatTheConditionSays() {
        String script =
                "{\"tasks\": [%s, {\"if\": \"a.value > 5\", \"then\": [%s], \"else\": [%s]}]}";

        run(script.formatted(count(6, "a"), count(10, null), count(20, null)));
        run(script.formatted(count(5, "a"), count(10, null), count(20, null)));

        assertThat(ran).containsExactly(6L, 10L, 5L, 20L);
    }

    @Test
    void goesOnAfterAnIfWithoutElse() {
        run(
                "{\"tasks\": [%s, {\"if\": \"a.big\", \"then\": [%s]}, %s]}"
                        .formatted(count(1, "a"), count(2, null), count(3, null)));

        assertThat(ran).containsExactly(1L, 3L);
    }

    @Test
    void repeats() {
        ScriptReport report =
                run(
                        "{\"tasks\": [{\"repeat\": 3, \"tasks\": [%s, %s]}]}"
                                .formatted(count(1, "a"), count(2, null)));

        assertThat(ran).containsExactly(1L, 2L, 1L, 2L, 1L, 2L);
        assertThat(report.tasks()).hasSize(6);
    }

    @Test
    void stopsAtTheFirstFailureAndSaysWhichTaskItWas() {
        ScriptReport report =
                run(
                        "{\"tasks\": ["
                                + count(1, null)
                                + ", "
                                + count(-1, null)
                                + ", "
                                + count(2, null)
                                + "]}");

        assertThat(report.status()).isEqualTo(Status.FAILED);
        assertThat(report.failure())
                .isInstanceOf(JobFailedException.class)
                .hasMessage("$.tasks[1] (test.count): negative");
        assertThat(report.tree())
                .containsEntry("status", "failed")
                .containsEntry("error", "$.tasks[1] (test.count): negative");
        assertThat(report.tasks()).hasSize(1);
        assertThat(ran).containsExactly(1L);
    }

    @Test
    void keepsBadInputApartFromFailedJobs() {
        ScriptReport report = run("{\"tasks\": [" + count(-2, null) + "]}");

        assertThat(report.failure())
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("$.tasks[0] (test.count): edges.txt:3: what is this");
    }

    @Test
    void reportsADiskThatFailsAsAFailedJob() {
        ScriptReport report = run("{\"tasks\": [" + count(-3, null) + "]}");

        assertThat(report.failure())
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("no space left")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void reportsABugOfATaskAsItIs() {
        ScriptReport report = run("{\"tasks\": [" + count(-4, null) + "]}");

        assertThat(report.status()).isEqualTo(Status.FAILED);
        assertThat(report.failure()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void stopsBeforeTheNextTaskWhenCancelled() {
        ScriptReport report = run("{\"tasks\": [" + count(99, null) + ", " + count(1, null) + "]}");

        assertThat(report.status()).isEqualTo(Status.CANCELLED);
        assertThat(report.failure()).isInstanceOf(JobCancelledException.class);
        assertThat(report.tree()).containsEntry("status", "cancelled");
        assertThat(ran).containsExactly(99L);
    }

    @Test
    void stopsInsideATaskThatLooks() {
        ScriptReport report = run("{\"tasks\": [" + count(98, null) + "]}");

        assertThat(report.status()).isEqualTo(Status.CANCELLED);
        assertThat(report.tasks()).isEmpty();
    }

    @Test
    void takesWhateverHappensAfterACancelAsItsConsequence() {
        ScriptReport report = run("{\"tasks\": [" + count(97, null) + "]}");

        assertThat(report.status()).isEqualTo(Status.CANCELLED);
    }

    private @Nullable ScriptRunner runner;

    @Test
    void goesOnBehindTheTasksThatHaveEnded() {
        String script =
                "{\"tasks\": ["
                        + count(1, "a")
                        + ", "
                        + count(2, null)
                        + ", "
                        + count(3, "b")
                        + "]}";
        run(script);
        ScriptProgress whole = progress();

        ScriptReport report = resume(script, first(whole, 2));

        assertThat(ran).containsExactly(1L, 2L, 3L, 3L);
        assertThat(report.tasks())
                .hasSize(3)
                .startsWith(first(whole, 2).tasks().toArray(TaskReport[]::new));
        assertThat(report.seconds()).isEqualTo(3);
        assertThat(heard).endsWith("3 test.count b", "half 1/2", "ended 3");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 6 10 20 30 20 30",
        "1, 10 20 30 20 30",
        "2, 20 30 20 30",
        "3, 30 20 30",
        "4, 20 30",
        "5, 30",
        "6, ''"
    })
    void findsTheSamePlaceInBranchesAndRounds(int ended, String left) {
        String script =
                "{\"tasks\": [%s, {\"if\": \"a.value > 5\", \"then\": [%s, {\"repeat\": 2, \"tasks\": [%s, %s]}], \"else\": [%s]}]}"
                        .formatted(
                                count(6, "a"),
                                count(10, "c"),
                                count(20, null),
                                count(30, "d"),
                                count(99, null));
        ScriptReport undisturbed = run(script);
        ScriptProgress whole = progress();
        ran.clear();

        ScriptReport report = resume(script, first(whole, ended));

        assertThat(String.join(" ", ran.stream().map(Object::toString).toList())).isEqualTo(left);
        assertThat(report.tasks()).isEqualTo(undisturbed.tasks());
        assertThat(report.status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void asksConditionsOfResultsThatOthersHaveFound() {
        String script =
                "{\"tasks\": [%s, {\"if\": \"a.big\", \"then\": [%s], \"else\": [%s]}]}"
                        .formatted(count(11, "a"), count(1, null), count(2, null));
        run(script);
        ScriptProgress whole = progress();

        resume(script, first(whole, 1));

        assertThat(ran).containsExactly(11L, 1L, 1L);
    }

    @Test
    void refusesTheProgressOfAnotherScript() {
        run("{\"tasks\": [" + count(1, "a") + "]}");
        ScriptProgress whole = progress();

        ScriptReport report = resume("{\"tasks\": [" + count(1, "b") + "]}", whole);

        assertThat(report.failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("$.tasks[0]");
    }

    @Test
    void readsTheProgressThatItWrote() {
        run("{\"tasks\": [" + count(1, "a") + ", " + count(2, null) + "]}");
        ScriptProgress progress = progress();

        String json = JsonText.write(progress.tree());

        assertThat(ScriptProgress.of(JsonText.parse(json))).isEqualTo(progress);
    }

    @Test
    void readsTheReportThatItWrote() {
        host.events.add(new RecoveryEvent(4, RecoveryEvent.SLAVE, 12, 10, 1.5));
        ScriptReport report = run("{\"tasks\": [" + count(1, "a") + ", " + count(-1, null) + "]}");

        Map<String, @Nullable Object> tree = report.tree();
        Object read = JsonText.parse(JsonText.write(tree));
        ScriptReport again = ScriptReport.of((Map<?, ?>) Objects.requireNonNull(read));

        assertThat(tree).containsEntry("recoveries", 1).containsKey("recoveryEvents");
        assertThat(again.tree()).isEqualTo(tree);
        assertThat(again.failure()).isInstanceOf(JobFailedException.class);
    }

    /** The progress of the last run, as a master would have committed it. */
    private ScriptProgress progress() {
        ScriptRunner last = runner;
        if (last == null) {
            throw new IllegalStateException("nothing has run");
        }
        return last.progress();
    }

    /** As it was when so many tasks had ended. */
    private static ScriptProgress first(ScriptProgress progress, int tasks) {
        return new ScriptProgress(progress.tasks().subList(0, tasks), tasks);
    }

    @Test
    void tellsWhatProgramsTookOnlyWhereTheScriptWantsThat() {
        String tasks = "\"tasks\": [" + count(1, null) + "," + count(2, null) + "]}";

        ScriptReport plain = run("{" + tasks);
        ScriptReport explained = run("{\"explain\": true, " + tasks);

        assertThat(plain.tree().toString()).doesNotContain("runs");
        assertThat(explained.tasks())
                .allSatisfy(task ->
                        assertThat(task.runs())
                                .singleElement()
                                .extracting(RunRecord::program)
                                .isEqualTo("run in " + task.result().get("value")));
        assertThat(explained.tree().toString())
                .contains("runs=[{program=run in 1, graph=g, supersteps=1, seconds=0.5, ")
                .contains("history=[{first=0, last=0, frontier=3, ")
                .contains("mostMessages=9");
        Object read = JsonText.parse(JsonText.write(explained.tree()));
        assertThat(ScriptReport.of((Map<?, ?>) Objects.requireNonNull(read)).tasks())
                .isEqualTo(explained.tasks());
    }

    private ScriptReport resume(String text, ScriptProgress from) {
        return run(text, from);
    }

    private ScriptReport run(String text) {
        return run(text, ScriptProgress.NONE);
    }

    private ScriptReport run(String text, ScriptProgress from) {
        Script script =
                Script.parse(
                        "s.json",
                        text,
                        new ScriptFiles(folder, List.of(folder)),
                        Map.of(),
                        TaskCatalog.of(counting()));
        ScriptRunner made = new ScriptRunner(script, host, listener(), from, clock::get);
        runner = made;
        return made.run();
    }

    private static String count(int value, @Nullable String as) {
        String name = as == null ? "" : ", \"as\": \"" + as + "\"";
        return "{\"task\": \"test.count\", \"value\": " + value + name + "}";
    }

    /** A task that takes a second, three supersteps and a hundred messages, or fails as told. */
    private FakeTask counting() {
        TaskSignature signature =
                TaskSignature.of("test.count", "Counts.")
                        .with(Argument.required("value", Argument.Type.INTEGER, "what to do"))
                        .returns("value", "integer", "the value")
                        .returns("big", "boolean", "more than ten");
        return new FakeTask(
                signature,
                (context, arguments) -> {
                    long value = arguments.integer("value");
                    host.ran("run in " + value);
                    ScriptRunner running = runner;
                    if (value >= 97 && running != null) {
                        running.cancel();
                    }
                    switch ((int) value) {
                        case -1 -> throw new JobFailedException("negative");
                        case -2 -> throw new InvalidInputException("edges.txt:3: what is this");
                        case -3 -> throw new IOException("no space left");
                        case -4 -> throw new IllegalStateException("a bug");
                        case 97 -> throw new JobFailedException("connection closed");
                        case 98 -> context.checkCancelled();
                        default -> {}
                    }
                    ran.add(value);
                    context.progress("half", 1, 2);
                    clock.addAndGet(SECOND);
                    host.supersteps += 3;
                    host.messages += 100;
                    return new TaskResult().put("value", value).put("big", value > 10);
                });
    }

    private ScriptListener listener() {
        return new ScriptListener() {
            @Override
            public void taskStarted(int run, String task, @Nullable String as) {
                heard.add(run + " " + task + " " + as);
            }

            @Override
            public void progress(String what, long done, long total) {
                heard.add(what + " " + done + "/" + total);
            }

            @Override
            public void taskEnded(TaskReport report) {
                heard.add("ended " + report.result().get("value"));
            }
        };
    }

    /** A cluster of two processes without graphs. */
    private static final class FakeHost implements ScriptHost {
        private long supersteps = 5;
        private long messages = 7;
        private final List<RecoveryEvent> events = new ArrayList<>();
        private final List<RunRecord> runs = new ArrayList<>();

        void ran(String program) {
            SuperstepRecord superstep = new SuperstepRecord(0, 0, 3, "none", 9, 0, 0.5, 0, 0.25);
            List<PeerMemory> memory = List.of(new PeerMemory(4, 640, 9_000, 512));
            runs.add(
                    new RunRecord(
                            program, "g", 1, 0.5, memory, 18, false, true, List.of(superstep)));
        }

        @Override
        public List<RunRecord> takeRuns() {
            List<RunRecord> taken = List.copyOf(runs);
            runs.clear();
            return taken;
        }

        @Override
        public GraphSession graphs() {
            throw new IllegalStateException("no graphs here");
        }

        @Override
        public int peers() {
            return 2;
        }

        @Override
        public boolean separateProcesses() {
            return true;
        }

        @Override
        public List<Long> peakResidentBytes() {
            return List.of(1L, 2L);
        }

        @Override
        public long supersteps() {
            return supersteps;
        }

        @Override
        public long messages() {
            return messages;
        }

        @Override
        public List<RecoveryEvent> recoveryEvents() {
            return events;
        }
    }
}
