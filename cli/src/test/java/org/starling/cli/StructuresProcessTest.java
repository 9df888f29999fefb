package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/** Structures that jobs of a user's jar keep in a cluster of real processes. */
@Tag("slow")
@Timeout(300)
final class StructuresProcessTest {
    private static final String COUNT =
            """
            package my;
            import java.util.*;
            import org.starling.graph.*;
            public final class Count implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.count", "Counts.")
                        .with(Argument.integer("add", "how many", 0))
                        .with(Argument.integer("pauseMillis", "before the end", 0))
                        .with(Argument.flag("fail", "at the end"))
                        .returns("rows", "integer", "of the table")
                        .returns("keys", "integer", "of the map")
                        .returns("sum", "integer", "of the map's values")
                        .returns("large", "integer", "values above 500, found by the peers");
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    Structures kept = context.structures();
                    StoredTable rows = kept.table("rows", List.of(
                        new StoredTable.Column("n", ElementType.LONG),
                        new StoredTable.Column("text", ElementType.TEXT)));
                    StoredMap<Long, Long> map =
                        kept.map("sums", ElementType.LONG, ElementType.LONG);
                    kept.keep("rows");
                    kept.keep("sums");
                    for (long i = 0; i < arguments.integer("add"); i++) {
                        rows.append(i, "row ".repeat(100) + i);
                        map.put(i, map.get(i).orElse(0L) + i);
                    }
                    long end = System.nanoTime() + arguments.integer("pauseMillis") * 1_000_000;
                    while (System.nanoTime() < end) {
                        context.checkCancelled();
                        java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
                    }
                    if (arguments.flag("fail")) {
                        throw new JobFailedException("told to");
                    }
                    StoredTable large = kept.table("large",
                        List.of(new StoredTable.Column("key", ElementType.LONG)));
                    long found = kept.each("sums", "my.large", Parameters.NONE, large);
                    long[] sum = {0};
                    map.forEach((key, value) -> sum[0] += value);
                    return new TaskResult().put("rows", rows.size()).put("keys", map.size())
                        .put("sum", sum[0]).put("large", found);
                }
                public static final class Provider implements ProgramProvider {
                    @Override public Map<String, ProgramFactory> programs() {
                        return Map.of("my.large", parameters -> new Large());
                    }
                }
                private static final class Large implements PartProgram {
                    @Override public void part(StructurePart part) {
                        while (part.next()) {
                            if (part.value(ElementType.LONG) > 500) {
                                part.emit(part.key(ElementType.LONG));
                            }
                        }
                    }
                }
            }
            """;

    private static final String WRONG =
            """
            package my;
            import org.starling.graph.*;
            public final class Wrong implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.wrong", "Opens a table as a list, or drops all.")
                        .with(Argument.flag("drop", "all"));
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    if (arguments.flag("drop")) {
                        context.structures().names().forEach(context.structures()::drop);
                    } else {
                        context.structures().list("rows", ElementType.LONG);
                    }
                    return new TaskResult();
                }
            }
            """;

    @TempDir Path folder;

    private String digest = "";
    private long nonce = 1000;

    @Test
    void stayThroughLossesAndAColdStart() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, 5)) {
            bring(cluster);
            assertResult(job(cluster, "my.count", "\"add\": 300", Status.SUCCEEDED), 300, 1);

            long id = submit(cluster, "my.count", "\"add\": 300, \"pauseMillis\": 3000");
            cluster.await(cluster.job(id, job -> job.status() == Status.RUNNING));
            cluster.processes().kill(cluster.slave().name());
            cluster.processes().kill(cluster.process(cluster.client().status().master()).name());
            assertResult(cluster.awaitEnd(id, Status.SUCCEEDED), 600, 2);

            job(cluster, "my.count", "\"add\": 300, \"fail\": true", Status.FAILED);
            Map<?, ?> wrong = job(cluster, "my.wrong", "\"drop\": false", Status.FAILED);
            assertThat(wrong.get("error"))
                    .asString()
                    .contains("structure \"rows\" is a table of (n long, text text), not a list");
            refusesWhatAnotherJobChanges(cluster);

            cluster.processes().stop();
            cluster.startAgain();

            assertResult(job(cluster, "my.count", "\"add\": 0", Status.SUCCEEDED), 600, 2);
            job(cluster, "my.wrong", "\"drop\": true", Status.SUCCEEDED);
            assertResult(job(cluster, "my.count", "\"add\": 1", Status.SUCCEEDED), 1, 1);
        }
    }

    /** Whoever of two comes first has the structures; the one that pauses is to have them. */
    private void refusesWhatAnotherJobChanges(RealCluster cluster) {
        long[] id = {submitPausing(cluster)};
        cluster.await(() -> {
            if (cluster.job(id[0], job -> job.status().isEnd()).getAsBoolean()) {
                id[0] = submitPausing(cluster);
            }
            Map<?, ?> refused = endOf(cluster, submit(cluster, "my.count", "\"add\": 0"));
            return String.valueOf(refused.get("error")).contains("is in use by job " + id[0]);
        });
        cluster.client().cancel(id[0]);
        cluster.awaitEnd(id[0], Status.CANCELLED);
    }

    private long submitPausing(RealCluster cluster) {
        return submit(cluster, "my.count", "\"add\": 1, \"pauseMillis\": 60000");
    }

    private static Map<?, ?> endOf(RealCluster cluster, long id) {
        cluster.await(cluster.job(id, job -> job.status().isEnd()));
        return (Map<?, ?>)
                Objects.requireNonNull(JsonText.parse(cluster.client().report(id).orElseThrow()));
    }

    private void bring(RealCluster cluster) throws IOException {
        Path jar =
                new JarBuilder()
                        .source("my.Count", COUNT)
                        .source("my.Wrong", WRONG)
                        .service(Task.class, "my.Count", "my.Wrong")
                        .service(ProgramProvider.class, "my.Count$Provider")
                        .build(folder.resolve("count.jar"));
        digest = JarInspection.digest(jar);
        cluster.client().jars().bring(digest, "count.jar", jar);
    }

    private Map<?, ?> job(RealCluster cluster, String task, String arguments, Status end) {
        return cluster.awaitEnd(submit(cluster, task, arguments), end);
    }

    private long submit(RealCluster cluster, String task, String arguments) {
        String script = "{\"tasks\": [{\"task\": \"%s\", %s}]}".formatted(task, arguments);
        JobRequest request =
                new JobRequest("test", script, Map.of(), false, folder).withJars(List.of(digest));
        long once = ++nonce;
        long[] id = {0};
        cluster.await(() -> { // peers that have just been lost can't check the jar
            id[0] = cluster.client().submit(request, once);
            return true;
        });
        return id[0];
    }

    private static void assertResult(Map<?, ?> report, long rows, long times) {
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        Map<?, ?> result = (Map<?, ?>) ((Map<?, ?>) tasks.getFirst()).get("result");
        long keys = rows / times;
        assertThat(result).isNotNull();
        assertThat(result.get("rows")).isEqualTo(rows);
        assertThat(result.get("keys")).isEqualTo(keys);
        assertThat(result.get("sum")).isEqualTo(times * keys * (keys - 1) / 2);
        long large = times == 1 ? 0 : keys - 251;
        assertThat(result.get("large")).isEqualTo(large);
    }
}
