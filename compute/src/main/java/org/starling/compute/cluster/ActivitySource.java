package org.starling.compute.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.QueryMessage.AskActivity;
import org.starling.compute.internal.protocol.QueryMessage.AskCourse;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.store.JobInfo;
import org.starling.store.StoreNode;

/**
 * Asks the master what a running job does, when somebody looks: at most one question at a time and
 * {@value #PER_SECOND} a second and job, however many look. Any thread; guarded by itself.
 */
final class ActivitySource {
    private static final Logger LOG = LogManager.getLogger(ActivitySource.class);
    private static final int PER_SECOND = 4;
    private static final Duration FRESH = Duration.ofSeconds(1).dividedBy(PER_SECOND);

    /** A master that does not answer within this time is not waited for. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** And then is not asked again for so long. */
    private static final Duration REST = Duration.ofSeconds(3);

    private final StoreNode store;
    private long job = -1;
    private @Nullable JobActivity last;
    private long freshUntilNanos;

    ActivitySource(StoreNode store) {
        this.store = store;
    }

    /** What a running job does; nothing if its master does not say. */
    synchronized Optional<JobActivity> of(JobInfo running) {
        if (running.id() != job || System.nanoTime() - freshUntilNanos >= 0) {
            job = running.id();
            last = null;
            freshUntilNanos = System.nanoTime() + ask().toNanos();
        }
        return Optional.ofNullable(last);
    }

    /** Asks, and says for how long the answer is good. */
    private Duration ask() {
        try {
            int master = store.jobs().master();
            if (master < 0) {
                return FRESH;
            }
            String json =
                    store.network().request(master, new AskActivity(job), PATIENCE).join().json();
            last = read(JobActivity.class, json).orElse(null);
            return FRESH;
        } catch (CompletionException | InvalidJsonException | IllegalArgumentException silent) {
            LOG.debug("the master does not say what job {} does", job, silent);
            return REST;
        }
    }

    /** How a job has come to where it is; nothing if its master does not say. */
    Optional<JobCourse> course(long running) {
        int master = store.jobs().master();
        if (master < 0) {
            return Optional.empty();
        }
        try {
            String json =
                    store.network().request(master, new AskCourse(running), PATIENCE).join().json();
            return read(JobCourse.class, json);
        } catch (CompletionException | InvalidJsonException | IllegalArgumentException silent) {
            LOG.debug("the master does not say how job {} has gone", running, silent);
            return Optional.empty();
        }
    }

    private static <R extends Record> Optional<R> read(Class<R> type, String json) {
        return json.isEmpty()
                ? Optional.empty()
                : Optional.of(RecordJson.PLAIN.of(type, JsonText.parse(json)));
    }
}
