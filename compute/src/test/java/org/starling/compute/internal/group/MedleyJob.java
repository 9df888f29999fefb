package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.Medley;
import org.starling.compute.TestEdges;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;

/** A job of three tasks: a graph, a run, and a run that reads what the first one left. */
final class MedleyJob {
    static final int TASKS = 3;
    static final int VERTICES = 3_000;

    /** A checkpoint after each superstep and each run. */
    static final CheckpointOptions ALWAYS = new CheckpointOptions(Duration.ZERO, 1);

    /** What jobs leave when nothing happens, by the form of their graph. */
    private static final Map<BuildOptions, Left> EXPECTED = new ConcurrentHashMap<>();

    private MedleyJob() {}

    /** What a job left, as one value. */
    record Left(List<Long> totals, long sum, List<Long> histogram, int supersteps, long messages) {}

    static Parameters medley(boolean resumable, boolean second) {
        return Parameters.of("resumable", resumable).with("second", second);
    }

    static TestEdges edges() {
        return TestEdges.random(11, VERTICES, 9_000);
    }

    /** Tasks of a job of three: a graph, a run, another one that reads what the first left. */
    static Left task(GraphSession session, int task, boolean resumable, TestEdges edges) {
        return task(session, task, resumable, edges, BuildOptions.UNDIRECTED);
    }

    /** The same on a graph of another form. */
    static Left task(
            GraphSession session,
            int task,
            boolean resumable,
            TestEdges edges,
            BuildOptions options) {
        if (task == 0) {
            session.build("g", TestEdges.NAME, edges.named(), options);
            return new Left(List.of(), 0, List.of(), 0, 0);
        }
        RunResult result = session.run("g", Medley.NAME, medley(resumable, task == 2));
        List<Long> totals = new ArrayList<>();
        try (StateCursor cursor = session.read("g", task == 2 ? "total2" : "total")) {
            while (cursor.next()) {
                totals.add(cursor.asLong());
            }
        }
        List<Long> histogram = new ArrayList<>();
        for (long count : result.histogram("byStep")) {
            histogram.add(count);
        }
        return new Left(
                totals,
                result.longAggregate("sum"),
                histogram,
                result.supersteps(),
                result.messages());
    }

    static Left tasksFrom(MasterSession session, int first, boolean resumable) {
        return tasksFrom(session, first, resumable, BuildOptions.UNDIRECTED);
    }

    static Left tasksFrom(
            MasterSession session, int first, boolean resumable, BuildOptions options) {
        Left left = new Left(List.of(), 0, List.of(), 0, 0);
        for (int task = first; task < TASKS; task++) {
            session.beginTask(task);
            left = task(session, task, resumable, edges(), options);
            session.endTask();
        }
        return left;
    }

    /** Calls {@code act} in a superstep of the run-th run. */
    static JobListener at(int run, int superstep, Runnable act) {
        return new JobListener() {
            private int runs;

            @Override
            public void progress(String what, long done, long total) {}

            @Override
            public void superstep(int now, long active, long messages) {
                runs += now == 0 ? 1 : 0;
                if (runs == run && now == superstep) {
                    act.run();
                }
            }
        };
    }

    /** What the job leaves when nothing happens, found out on the first group that is asked. */
    static Left expected(TestGroup group) {
        return expected(group, BuildOptions.UNDIRECTED);
    }

    static Left expected(TestGroup group, BuildOptions options) {
        return EXPECTED.computeIfAbsent(options, _ -> undisturbed(group, 1, options));
    }

    /** Does the job while nothing happens: what it leaves. */
    static Left undisturbed(TestGroup group, long term) {
        return undisturbed(group, term, BuildOptions.UNDIRECTED);
    }

    static Left undisturbed(TestGroup group, long term, BuildOptions options) {
        MasterSession session = group.master(term, CheckpointOptions.NONE);
        session.begin(JobListener.SILENT, _ -> true);
        session.resume(new byte[0], -1, 0);
        Left left = tasksFrom(session, 0, true, options);
        session.endJob();
        return left;
    }
}
