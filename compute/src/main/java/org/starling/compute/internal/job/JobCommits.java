package org.starling.compute.internal.job;

import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.script.ScriptProgress;
import org.starling.store.JobRegistry;
import org.starling.store.StoreException;

/**
 * What one attempt of a job commits in the directory. Confined to the job's thread, but for {@link
 * #end}, which another thread calls when that one does not come back.
 *
 * <p>Only what is committed counts. A commit that is refused says that another attempt has begun
 * somewhere: from then on this one is lost, and commits nothing more.
 */
final class JobCommits {
    private static final Logger LOG = LogManager.getLogger(JobCommits.class);

    /** Tries of a commit while the directory has no leader; each waits the request time-out. */
    private static final int MAX_TRIES = 6;

    private final JobRegistry registry;
    private final int self;
    private final long id;
    private final long attempt;
    private final JobCounts counts;
    private final InstantSource clock;
    private JobProgress progress = JobProgress.NONE;
    private volatile boolean lost;

    /** Whether a commit found nobody to take it, for all its tries. */
    private volatile boolean unheard;

    JobCommits(
            JobRegistry registry,
            int self,
            long id,
            long attempt,
            JobCounts counts,
            InstantSource clock) {
        this.registry = registry;
        this.self = self;
        this.id = id;
        this.attempt = attempt;
        this.counts = counts;
        this.clock = clock;
    }

    /** Takes a job up where it is, and says that this node has. */
    boolean begin(JobProgress from) {
        progress = from;
        return commit(from.script(), from.engine());
    }

    /** The script has come so far; to be committed with the engine's next word. */
    void move(ScriptProgress script) {
        progress = new JobProgress(self, script, progress.engine());
    }

    /**
     * Commits what the engine says together with the script's position.
     *
     * @return false if this attempt is lost
     */
    boolean engine(byte[] engine) {
        return commit(progress.script(), engine);
    }

    /**
     * Commits the job's end, as of now.
     *
     * @return false if this attempt is lost
     */
    boolean end(JobReport report) {
        byte[] bytes = report.endedAt(clock.instant()).bytes();
        boolean done = insist(() -> registry.end(id, attempt, report.status(), bytes));
        if (done) {
            counts.ended(report);
        }
        return done;
    }

    /**
     * Whether the job is left to a later attempt, what became of this one is no end of it: another
     * one has begun, or the directory was away for longer than a commit is tried.
     */
    boolean isLeft() {
        return lost || unheard;
    }

    private boolean commit(ScriptProgress script, byte[] engine) {
        progress = new JobProgress(self, script, engine);
        byte[] bytes = progress.bytes();
        return insist(() -> registry.checkpoint(id, attempt, bytes));
    }

    /** Commits are the same however often they are sent, so those in doubt are sent again. */
    private boolean insist(BooleanSupplier commit) {
        for (int tries = 1; !lost; tries++) {
            try {
                lost = !commit.getAsBoolean();
                return !lost;
            } catch (StoreException down) {
                if (tries == MAX_TRIES) {
                    unheard = true;
                    throw down;
                }
                LOG.warn("job {}: the directory did not take a commit: {}", id, down.getMessage());
            }
        }
        return false;
    }
}
