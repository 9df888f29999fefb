package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.ChunkService;
import org.starling.store.StoreException;
import org.starling.store.WithheldIds;

/**
 * Ids of chunks of this node that are removed: given to nobody as long as something leads to them,
 * so that whoever removes them again meets no chunks of others. A zone that has got another owner
 * gives out no free ids, so this need not outlive the process. Any thread; whether it is over is
 * looked at by a thread of its own, while there is something to look at.
 */
final class Withholding implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(Withholding.class);
    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

    private final ChunkService chunks;

    /** Guarded by this. */
    private final Map<Leader, Held> held = new HashMap<>();

    private boolean isWatched;
    private boolean isClosed;

    /**
     * What leads to chunks.
     *
     * @param chunk a chunk that says so
     * @param sign by which it is told from another one that has got its id
     */
    record Leader(long chunk, long sign) {}

    private record Held(Map<Long, WithheldIds> byFirst, BooleanSupplier isOver) {}

    Withholding(ChunkService chunks) {
        this.chunks = chunks;
    }

    /**
     * Withholds the ids of a range, if its zone is here.
     *
     * @param isOver whether it leads there no more; fails with a {@link StoreException} if that is
     *     not known
     */
    synchronized void hold(Leader leader, long first, int count, BooleanSupplier isOver) {
        Held one = held.getOrDefault(leader, new Held(new HashMap<>(), isOver));
        try {
            one.byFirst.computeIfAbsent(first, _ -> chunks.withhold(first, count));
        } catch (StoreException elsewhere) {
            LOG.debug("a zone with another owner gives out no free ids", elsewhere);
            return;
        }
        held.put(leader, one);
        if (!isWatched && !isClosed) {
            isWatched = true;
            Thread.ofVirtual().name("withheld-ids").start(this::watch);
        }
    }

    /** How many there are that lead to something. */
    synchronized int size() {
        return held.size();
    }

    private void watch() {
        long pause = FIRST_PAUSE;
        while (isToBeWatched()) {
            LockSupport.parkNanos(pause);
            boolean isLess = false;
            for (Map.Entry<Leader, Held> one : all().entrySet()) {
                if (isOver(one.getValue())) {
                    letOut(one.getKey());
                    isLess = true;
                }
            }
            pause = isLess ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    private synchronized boolean isToBeWatched() {
        isWatched = !held.isEmpty() && !isClosed;
        return isWatched;
    }

    private synchronized Map<Leader, Held> all() {
        return Map.copyOf(held);
    }

    private static boolean isOver(Held one) {
        try {
            return one.isOver.getAsBoolean();
        } catch (RuntimeException unknown) {
            LOG.debug("ids are withheld for some time more", unknown);
            return false;
        }
    }

    private synchronized void letOut(Leader leader) {
        Held one = held.remove(leader);
        if (one != null) {
            one.byFirst.values().forEach(WithheldIds::close);
        }
    }

    /** Looks no more: what is withheld is to the node's end. */
    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
