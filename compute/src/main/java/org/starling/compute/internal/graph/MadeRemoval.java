package org.starling.compute.internal.graph;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.store.ChunkId;
import org.starling.store.ChunkPinnedException;
import org.starling.store.ChunkService;
import org.starling.store.NameService;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.WithheldIds;

/**
 * Removes the chunks of records ({@link MadeRecord}) whose zones a process owns, and takes the
 * records out. From the first removal until the record is gone, their ids are given to nobody, and
 * a zone that has got another owner gives out no free ids. So whoever finds a record may have its
 * chunks removed, again and again, and can't meet those of others.
 *
 * <p>Only a process that knows that it has not done so yet begins: the name leads to the first of
 * the chunks until an owner of the zone claims it, and then to that. A claim of another process is
 * that of an owner before this one. Any thread.
 */
public final class MadeRemoval {
    private static final Logger LOG = LogManager.getLogger(MadeRemoval.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** No replicated chunk has less in the place of its zone. */
    private static final long MAX_CLAIM = 1L << 47;

    private final NameService names;
    private final ChunkService chunks;

    /** What this process claims by: an id of its node that no chunk with backups has. */
    private final long claim;

    /** What has been begun and is not done. */
    private final Map<MadeRecord, Begun> begun = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private static final class Begun {
        private final Map<Range, WithheldIds> withheld = new HashMap<>();
        private boolean isAsked;
        private boolean isClaimed;
        private boolean isDone;

        /** Whether a thread is at it until it is done. */
        private boolean isInsistedOn;

        private void release() {
            withheld.values().forEach(WithheldIds::close);
            withheld.clear();
        }
    }

    /** What has become of chunks that were to be removed. */
    public enum Removal {
        /** They are gone, and the record is, too. */
        DONE,
        /** Some are there still, or the record is. */
        LATER
    }

    /**
     * Of a process that lasts.
     *
     * @param node of this process
     */
    public MadeRemoval(NameService names, ChunkService chunks, int node) {
        this.names = names;
        this.chunks = chunks;
        this.claim = ChunkId.of(node, ThreadLocalRandom.current().nextLong(1, MAX_CLAIM));
    }

    /**
     * Removes the chunks of a record whose zone this node owns, and takes the record out. Waits for
     * who is at it. What was begun and could not be ended is tried again, whether or not anybody
     * asks for it.
     *
     * @throws StoreException if something fails in the middle
     */
    public Removal remove(MadeRecord record) {
        if (!chunks.isLocal(first(record))) {
            return Removal.LATER; // it is for the next owner
        }
        Begun one = begun.computeIfAbsent(record, _ -> new Begun());
        synchronized (one) {
            if (one.isDone) {
                return Removal.DONE;
            }
            try {
                Removal removal = one.isClaimed ? Removal.LATER : claim(record, one);
                if (one.isClaimed) {
                    removal = remove(record, one);
                }
                if (removal == Removal.DONE) {
                    one.isDone = true;
                    one.release();
                    begun.remove(record, one);
                }
                return removal;
            } finally {
                if (!one.withheld.isEmpty() && !one.isInsistedOn) {
                    one.isInsistedOn = true;
                    Thread.ofVirtual().name("made-chunks").start(() -> insist(record, one));
                }
            }
        }
    }

    /** Ends with the node, or the zone's time on it, at the latest. */
    private void insist(MadeRecord record, Begun one) {
        boolean isDone = false;
        while (!isDone && chunks.isLocal(first(record))) {
            LockSupport.parkNanos(PAUSE.toNanos());
            try {
                isDone = remove(record) == Removal.DONE;
            } catch (StoreException again) {
                LOG.debug("chunks of work that failed are removed later", again);
            }
        }
        synchronized (one) {
            one.isInsistedOn = false;
        }
    }

    /** Done if there is no such record any more. */
    private Removal claim(MadeRecord record, Begun one) {
        boolean isAsked = one.isAsked;
        one.isAsked = true;
        if (names.compareAndSet(record.name(), first(record), claim)) {
            one.isClaimed = true;
            return Removal.LATER;
        }
        long holder = names.lookup(record.name());
        if (holder == ChunkId.NONE) {
            return Removal.DONE;
        }
        if (holder == claim) { // unheard; or a superpeer that is late tells of what was done before
            one.isClaimed = isAsked;
            return isAsked ? Removal.LATER : Removal.DONE;
        }
        one.isClaimed = names.compareAndSet(record.name(), holder, claim);
        return Removal.LATER;
    }

    private Removal remove(MadeRecord record, Begun one) {
        boolean isFresh = one.withheld.isEmpty();
        record.ranges().forEach(range -> withhold(range, one));
        try {
            record.ranges().forEach(range -> chunks.removeRange(range.first(), range.count()));
        } catch (UnderReplicatedException | ChunkPinnedException none) {
            LOG.debug("chunks of work that failed are removed later", none);
            if (isFresh && chunks.exists(first(record))) { // the first that goes
                one.release();
            }
            return Removal.LATER;
        }
        names.remove(record.name());
        return Removal.DONE;
    }

    private void withhold(Range range, Begun one) {
        try {
            one.withheld.computeIfAbsent(range, _ -> chunks.withhold(range.first(), range.count()));
        } catch (StoreException elsewhere) {
            LOG.debug("a zone with another owner gives out no free ids", elsewhere);
        }
    }

    private static long first(MadeRecord record) {
        return record.ranges().getFirst().first();
    }
}
