package org.starling.benchmarks.faults;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a recovery took. Times count from the kill.
 *
 * @param chunks written before, and read back after
 * @param bytes of payload of each
 * @param recoveredChunks chunks of the killed owner
 * @param detectedNanos until the cluster knew of the loss
 * @param firstAnswerNanos until somebody answered in the lost one's place
 * @param recoveredNanos until every zone answered
 * @param replicatedNanos until every zone had all its copies again
 * @param lost chunks that could not be read back
 * @param wrong chunks with other bytes than were written
 */
record RecoveryFigures(
        long chunks,
        int bytes,
        long recoveredChunks,
        long detectedNanos,
        long firstAnswerNanos,
        long recoveredNanos,
        long replicatedNanos,
        long lost,
        long wrong) {
    /** As a JSON tree. */
    Map<String, @Nullable Object> tree() {
        long nanos = Math.max(1, recoveredNanos - detectedNanos);
        double perSecond = recoveredChunks / (nanos / (double) TimeUnit.SECONDS.toNanos(1));
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("chunks", chunks);
        tree.put("detectedMillis", TimeUnit.NANOSECONDS.toMillis(detectedNanos));
        tree.put("firstAnswerMillis", TimeUnit.NANOSECONDS.toMillis(firstAnswerNanos));
        tree.put("recoveredMillis", TimeUnit.NANOSECONDS.toMillis(recoveredNanos));
        tree.put("replicatedMillis", TimeUnit.NANOSECONDS.toMillis(replicatedNanos));
        tree.put("chunksPerSecond", Math.round(perSecond));
        tree.put("bytesPerSecond", Math.round(perSecond * bytes));
        tree.put("lost", lost);
        tree.put("wrong", wrong);
        return tree;
    }
}
