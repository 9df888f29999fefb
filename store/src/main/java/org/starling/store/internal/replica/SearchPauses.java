package org.starling.store.internal.replica;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How long a node waits before it asks the directory again for another backup of a zone: longer and
 * longer while there is none, since only news can change that, and news end the pause. Owned by
 * {@link OwnedZones}; any thread.
 */
final class SearchPauses {
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Should news be missed, a new backup is found after this time. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The most while a node is avoided, of whose recovery there are no news. */
    static final long AVOIDING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Pause(long sinceNanos, long nanos) {}

    private final Map<Long, Pause> pauses = new ConcurrentHashMap<>();

    /** Whether a zone's pause is over, or there was none. */
    boolean isOver(long zone, long nowNanos) {
        Pause pause = pauses.get(zone);
        return pause == null || nowNanos - pause.sinceNanos >= pause.nanos;
    }

    /** The directory is asked now. */
    void begin(long zone, long nowNanos) {
        pauses.merge(
                zone,
                new Pause(nowNanos, LEAST_NANOS),
                (before, first) -> new Pause(nowNanos, before.nanos));
    }

    /**
     * It knows of no node that could become a backup.
     *
     * @param isAvoiding whether there may be one that was not to be chosen now
     */
    void lengthen(long zone, boolean isAvoiding) {
        long most = isAvoiding ? AVOIDING_NANOS : MOST_NANOS;
        pauses.computeIfPresent(
                zone, (id, pause) -> new Pause(pause.sinceNanos, Math.min(2 * pause.nanos, most)));
    }

    /** Something has changed about a zone. */
    void end(long zone) {
        pauses.remove(zone);
    }

    /** Something has changed for all zones. */
    void endAll() {
        pauses.clear();
    }
}
