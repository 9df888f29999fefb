package org.starling.benchmarks.faults;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;

/**
 * Where jobs run and processes are killed. Used by the bench's thread.
 *
 * @param faults folder of fault points
 * @param progress takes a line for people from time to time
 */
record JobStage(
        BenchCluster cluster, ClusterClient service, Path faults, Consumer<String> progress) {
    private static final Duration MASTER_PATIENCE = Duration.ofSeconds(20);
    private static final Duration WHOLE_PATIENCE = Duration.ofMinutes(2);

    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** How long what is to go may take; well below {@link #WHOLE_PATIENCE}. */
    private static final Duration TIDY_PATIENCE = Duration.ofSeconds(60);

    /** Longest silence of the cluster. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final Duration JOB_PATIENCE = Duration.ofHours(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * Runs jobs at the same time to their ends.
     *
     * @param kills whom to kill meanwhile
     * @param look called again and again meanwhile
     */
    JobRuns run(List<JobRequest> jobs, List<KillOrder> kills, Runnable look) {
        KillSquad squad = new KillSquad(cluster, service, faults, progress);
        squad.assign(kills);
        SecureRandom nonces = new SecureRandom();
        List<Long> ids = jobs.stream().map(job -> service.submit(job, nonces.nextLong())).toList();
        List<Map<String, @Nullable Object>> reports = new ArrayList<>();
        for (long id : ids) {
            reports.add(report(awaitEnd(id, squad, look)));
        }
        for (String left : squad.left()) {
            progress.accept(left + " was never reached");
        }
        squad.callOff();
        return new JobRuns(List.copyOf(reports), squad);
    }

    void awaitMaster() {
        await(() -> service.status().master() >= 0, MASTER_PATIENCE, "no peer leads jobs");
    }

    /** Starts again who was killed, and waits until every zone has all its copies. */
    void restart(List<KillSquad.Kill> killed) {
        killed.forEach(kill -> cluster.processes().restart(kill.name()));
        int nodes = nodes();
        await(
                () -> {
                    ClusterView view = service.status();
                    return view.nodes().size() == nodes
                            && view.allReplicated()
                            && view.master() >= 0;
                },
                WHOLE_PATIENCE,
                "the cluster does not become whole again");
    }

    /** Chunks of all peers, when their number has not changed for a while: jobs tidy up behind. */
    long settledChunks() {
        long[] last = {-1, System.nanoTime()};
        await(
                () -> {
                    OptionalLong now = chunks();
                    if (now.isEmpty() || now.getAsLong() != last[0]) {
                        last[0] = now.orElse(-1);
                        last[1] = System.nanoTime();
                    }
                    return System.nanoTime() - last[1] > SETTLED.toNanos();
                },
                WHOLE_PATIENCE,
                "the number of chunks goes on changing");
        return last[0];
    }

    /** Waits until there are no more chunks than so many; how many are too many even then. */
    long chunksLeft(long before) {
        long[] left = {0};
        long start = System.nanoTime();
        await(
                () -> {
                    left[0] = Math.max(0, chunks().orElse(before + 1) - before);
                    return left[0] == 0 || System.nanoTime() - start > TIDY_PATIENCE.toNanos();
                },
                WHOLE_PATIENCE,
                "chunks can't be counted");
        return left[0];
    }

    /** Chunks of all peers; nothing if somebody does not answer. */
    private OptionalLong chunks() {
        List<NetworkView> nodes = service.networks();
        return nodes.size() < nodes()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        nodes.stream()
                                .map(node -> node.figures().get("chunks"))
                                .filter(Objects::nonNull)
                                .mapToLong(Number::longValue)
                                .sum());
    }

    private int nodes() {
        ClusterPlan plan = cluster.processes().plan();
        return plan.superpeers() + plan.peers();
    }

    private static void await(BooleanSupplier state, Duration patience, String complaint) {
        long start = System.nanoTime();
        while (!isSo(state)) {
            pause(start, patience, complaint);
        }
    }

    /** Nobody who can say is no. */
    private static boolean isSo(BooleanSupplier state) {
        try {
            return state.getAsBoolean();
        } catch (ClusterException notNow) {
            return false;
        }
    }

    private JobView awaitEnd(long id, KillSquad squad, Runnable look) {
        long start = System.nanoTime();
        long heard = start;
        while (true) {
            try {
                look.run();
                squad.step();
                Optional<JobView> job = service.job(id);
                if (job.isPresent() && job.get().status().isEnd()) {
                    return job.get();
                }
                heard = System.nanoTime();
            } catch (ClusterException down) {
                if (System.nanoTime() - heard > SILENCE.toNanos()) {
                    throw down;
                }
            }
            pause(start, JOB_PATIENCE, "the job does not end");
        }
    }

    private Map<String, @Nullable Object> report(JobView end) {
        String text =
                service.report(end.id())
                        .orElseThrow(() ->
                                new ClusterException(
                                        "the job ended as %s without a report"
                                                .formatted(end.status())));
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (JsonText.parse(text) instanceof Map<?, ?> report) {
            report.forEach((name, value) -> tree.put(String.valueOf(name), value));
        }
        return tree;
    }

    private static void pause(long start, Duration patience, String complaint) {
        if (System.nanoTime() - start > patience.toNanos()) {
            throw new ClusterException(complaint + " within " + patience);
        }
        LockSupport.parkNanos(POLL_NANOS);
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new ClusterException("the bench was interrupted");
        }
    }
}
