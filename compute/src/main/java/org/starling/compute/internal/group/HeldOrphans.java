package org.starling.compute.internal.group;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.protocol.Attempt;

/**
 * What masters of jobs are to remove, as far as this slave has been told: first chunk and number of
 * each range, and who has made it. Owned by the slave's service, guarded by itself; any thread.
 */
final class HeldOrphans {
    /** Of so many jobs the last word is known. */
    private static final int MAX_JOBS = 4096;

    private static final Logger LOG = LogManager.getLogger(HeldOrphans.class);
    private static final long[] NONE = {};

    /**
     * The last word of a job. One that says nothing is kept, too: an older one may come later.
     *
     * @param attempt number of the word
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and copied where it comes and goes
    private record Word(long attempt, long[] ranges) {}

    private final Map<Long, Word> words = new LinkedHashMap<>();

    /**
     * Takes a master's word, in the place of older ones.
     *
     * @throws StaleMasterException if a later one is known
     */
    synchronized void hold(long attempt, long[] ranges) {
        long job = Attempt.job(Attempt.term(attempt));
        Word known = words.get(job);
        if (known != null && known.attempt > attempt) {
            throw new StaleMasterException(Attempt.term(attempt), Attempt.term(known.attempt));
        }
        put(job, new Word(attempt, ranges.clone()));
    }

    /** What masters of a job were to remove. */
    synchronized long[] of(long job) {
        Word known = words.get(job);
        return known == null ? NONE : known.ranges.clone();
    }

    /**
     * A job has ended without its masters, whose word does not count any more.
     *
     * @param more what is to be removed besides, by whoever comes to ask
     */
    synchronized void end(long job, long[] more) {
        long[] ranges = LongStream.concat(Arrays.stream(of(job)), Arrays.stream(more)).toArray();
        put(job, new Word(last(job), ranges));
    }

    /** The same, and somebody has come to ask: it is his now. */
    synchronized long[] take(long job) {
        long[] ranges = of(job);
        put(job, new Word(last(job), NONE));
        return ranges;
    }

    /** Jobs of which something is to be removed. */
    synchronized List<Long> jobs() {
        return words.entrySet().stream()
                .filter(entry -> entry.getValue().ranges.length > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static long last(long job) {
        return Attempt.of(Attempt.term(job, Attempt.MAX_ATTEMPTS), 0);
    }

    private void put(long job, Word word) {
        words.remove(job); // so that it is the last to go
        words.put(job, word);
        if (words.size() > MAX_JOBS) {
            Map.Entry<Long, Word> eldest = words.entrySet().iterator().next();
            words.remove(eldest.getKey());
            if (eldest.getValue().ranges.length > 0) {
                LOG.warn(
                        "what is to be removed for job {} is not remembered: too many jobs",
                        eldest.getKey());
            }
        }
    }
}
