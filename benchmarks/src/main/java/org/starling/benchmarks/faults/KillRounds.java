package org.starling.benchmarks.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.BenchJobs;
import org.starling.compute.cluster.BenchOrder;

/**
 * The same jobs on the same cluster in many rounds, in each of which two processes are killed and
 * started again behind it; every result is compared with those of the undisturbed run. Whom and
 * where is drawn: slaves and masters, at a moment of the whole time that the jobs took undisturbed,
 * or at a superstep or the beginning of a task of one of them. Behind the last round the jobs run
 * undisturbed once more, and then it is counted how many chunks there are that were not there
 * before. Used by the bench's thread.
 */
final class KillRounds {
    private static final int KILLS = 2;

    /** The undisturbed run was the first, with nothing compiled yet; all others are faster. */
    private static final double WARM = 0.6;

    private final BenchJobs jobs;
    private final JobStage stage;
    private final JobRuns undisturbed;
    private final OutputComparison files;
    private final long seed;
    private final Random random;
    private final Differences differences = new Differences();
    private long kills;
    private long masters;
    private long recoveries;

    KillRounds(
            BenchJobs jobs,
            JobStage stage,
            JobRuns undisturbed,
            OutputComparison files,
            long seed) {
        this.jobs = jobs;
        this.stage = stage;
        this.undisturbed = undisturbed;
        this.files = files;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** The figures: the last round's, with what all rounds have compared. Ends at a difference. */
    Map<String, @Nullable Object> run(int rounds) {
        Map<String, @Nullable Object> figures = new LinkedHashMap<>();
        long chunks = stage.settledChunks();
        int round = 0;
        while (round < rounds && differences.count() == 0) {
            round++;
            List<KillOrder> orders = draw();
            stage.progress()
                    .accept(
                            "round %d of %d, seed %d: %s"
                                    .formatted(
                                            round,
                                            rounds,
                                            seed,
                                            orders.stream().map(KillOrder::words).toList()));
            figures = round(orders);
        }
        long left = 0;
        if (differences.count() == 0) {
            stage.progress().accept("running undisturbed once more");
            figures = round(List.of());
            left = stage.chunksLeft(chunks);
        }
        Map<String, @Nullable Object> compared = new LinkedHashMap<>();
        compared.put("undisturbedSeconds", seconds());
        compared.put("files", (long) files.files());
        compared.put("rounds", (long) round);
        compared.put("seed", seed);
        compared.put("kills", kills);
        compared.put("killsOfMasters", masters);
        compared.put("recoveries", recoveries);
        compared.put("chunksLeft", left);
        JobBench.tell(differences, compared);
        figures.put(BenchOrder.COMPARED, compared);
        return figures;
    }

    private Map<String, @Nullable Object> round(List<KillOrder> orders) {
        JobRuns runs = stage.run(jobs.together(), orders, files::look);
        List<KillSquad.Kill> killed = runs.squad().killed();
        kills += killed.size();
        masters += killed.stream().filter(kill -> KillOrder.parse(kill.words()).master()).count();
        for (Map<String, @Nullable Object> report : runs.reports()) {
            recoveries += report.get("recoveries") instanceof Long more ? more : 0;
        }
        runs.compare(undisturbed, differences);
        files.compare(differences);
        files.forget();
        stage.restart(killed);
        stage.progress().accept("%d chunks now".formatted(stage.settledChunks()));
        return runs.figures();
    }

    private List<KillOrder> draw() {
        List<KillOrder> orders = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            orders.add(new KillOrder(random.nextBoolean(), place()));
        }
        return orders;
    }

    private String place() {
        List<?> reports = undisturbed.reports();
        Object report = reports.get(random.nextInt(reports.size()));
        if (random.nextBoolean()
                && report instanceof Map<?, ?> members
                && members.get("tasks") instanceof List<?> tasks
                && !tasks.isEmpty()) {
            int number = random.nextInt(tasks.size());
            long supersteps =
                    tasks.get(number) instanceof Map<?, ?> task
                                    && task.get("supersteps") instanceof Long steps
                            ? steps
                            : 0;
            return supersteps == 0
                    ? "task=" + number
                    : "task=%d,superstep=%d".formatted(number, random.nextLong(supersteps));
        }
        return "millis=" + random.nextLong((long) (seconds() * 1000 * WARM) + 1);
    }

    /** How long the longest job took undisturbed. */
    private double seconds() {
        double longest = 0;
        for (Map<String, @Nullable Object> report : undisturbed.reports()) {
            if (report.get("seconds") instanceof Number seconds) {
                longest = Math.max(longest, seconds.doubleValue());
            }
        }
        return longest;
    }
}
