package org.starling.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;

/** Waits for the end of a job, and says when its status changes. Used by one thread. */
final class JobWatch {
    /** A cluster that loses its leader answers again within seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ClusterService service;
    private final Terminal terminal;
    private final Duration poll;

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
        if (before == null || before.status() != now.status()) {
            terminal.err().println("      " + Setting.written(now.status()));
        } else if (before.attempt() != now.attempt()) {
            terminal.err()
                    .println("      taken up by another master (attempt " + now.attempt() + ")");
        }
        return now;
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
