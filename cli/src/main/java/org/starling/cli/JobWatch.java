package org.starling.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobActivity;

/** Waits for the end of a job, and says when its status changes. Used by one thread. */
final class JobWatch {
    /** A cluster that loses its leader answers again within seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Between two lines about what the job does, where lines can't be written over. */
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final int MAX_COLUMNS = 110;

    private final ClusterService service;
    private final Terminal terminal;
    private final Duration poll;

    /** Characters of the line that is written over again and again; 0 if there is none. */
    private int liveCharacters;

    /** Lines of the job's log that were shown, or had been said before. */
    private List<String> shownLog = List.of();

    private String shownActivity = "";
    private long shownNanos;

    JobWatch(ClusterService service, Terminal terminal, Duration poll) {
        this.service = service;
        this.terminal = terminal;
        this.poll = poll;
    }

    /**
     * Waits.
     *
     * @return the job as it ended
     * @throws ClusterException if the cluster does not answer for half a minute, or has forgotten
     *     the job
     */
    JobView awaitEnd(long id) {
        JobView shown = null;
        long heardNanos = System.nanoTime();
        while (true) {
            Optional<JobView> job = look(id, heardNanos);
            if (job.isPresent()) {
                heardNanos = System.nanoTime();
                shown = show(shown, job.get());
                if (shown.status().isEnd()) {
                    return shown;
                }
            }
            pause();
        }
    }

    private Optional<JobView> look(long id, long heardNanos) {
        try {
            Optional<JobView> job = service.job(id);
            if (job.isEmpty()) {
                throw new ClusterException("the cluster has forgotten job " + id);
            }
            return job;
        } catch (ClusterException down) {
            if (System.nanoTime() - heardNanos > PATIENCE.toNanos()) {
                throw down;
            }
            return Optional.empty();
        }
    }

    private JobView show(@Nullable JobView before, JobView now) {
        JobActivity activity = now.progress();
        if (activity != null) {
            show(activity);
        }
        if (before == null
                || before.status() != now.status()
                || before.attempt() != now.attempt()) {
            endLive();
        }
        if (before == null || before.status() != now.status()) {
            terminal.err().println("      " + Setting.written(now.status()));
        } else if (before.attempt() != now.attempt()) {
            terminal.err()
                    .println("      taken up by another master (attempt " + now.attempt() + ")");
        }
        if (now.waitsFor() != null && (before == null || before.waitsFor() == null)) {
            terminal.err().println("      waits: " + now.waitsFor());
        }
        return now;
    }

    /** On a terminal one line that is updated; elsewhere a line now and then. */
    private void show(JobActivity now) {
        showLog(now.log());
        String text = "      " + ActivityText.of(now);
        boolean isDue = System.nanoTime() - shownNanos >= INTERVAL.toNanos();
        if (terminal.interactive()) {
            String line = text.length() <= MAX_COLUMNS ? text : text.substring(0, MAX_COLUMNS);
            int blanks = Math.max(0, liveCharacters - line.length());
            terminal.err().print("\r" + line + " ".repeat(blanks));
            terminal.err().flush();
            liveCharacters = line.length();
        } else if (!text.equals(shownActivity) && isDue) {
            terminal.err().println(text);
            shownActivity = text;
            shownNanos = System.nanoTime();
        }
    }

    private void showLog(List<String> log) {
        int known = 0;
        for (int overlap = Math.min(shownLog.size(), log.size()); overlap > 0; overlap--) {
            if (shownLog.subList(shownLog.size() - overlap, shownLog.size())
                    .equals(log.subList(0, overlap))) {
                known = overlap;
                break;
            }
        }
        for (String line : log.subList(known, log.size())) {
            endLive();
            terminal.err().println("      | " + line);
        }
        shownLog = log;
    }

    private void endLive() {
        if (liveCharacters > 0) {
            terminal.err().print("\r" + " ".repeat(liveCharacters) + "\r");
            liveCharacters = 0;
        }
    }

    private void pause() {
        try {
            // nobody counts it down: a wait that an interrupt ends
            if (new CountDownLatch(1).await(poll.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("a latch opened by itself");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("waiting for the job was interrupted", interrupted);
        }
    }
}
