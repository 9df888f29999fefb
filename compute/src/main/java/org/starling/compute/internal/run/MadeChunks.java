package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.MadeRemoval.Removal;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;

/**
 * Makes chunks for attempts, builds or checkpoints, so that they can be removed if the attempt
 * comes to nothing. Those with backups are gathered, noted in the directory ({@link MadeRecords}),
 * and only then brought to the backups; from there on they are the master's business. Those without
 * go with this node, and are removed by it. Owned by a slave's job, guarded by itself; nobody but
 * who brings chunks is waited for under a lock.
 */
public final class MadeChunks {
    private static final Logger LOG = LogManager.getLogger(MadeChunks.class);

    /** So many bytes are gathered: to note them takes little of the time to bring them away. */
    private static final long GATHERED_BYTES = 16 << 20;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final NodeContext node;
    private final LeftOvers leftOvers;
    private final Kind kind;

    /** Chunks by attempt of which this node alone knows. */
    private final Map<Long, List<Range>> own = new HashMap<>();

    private List<Gathered> gathered = new ArrayList<>();
    private long gatheredBytes;

    /** One chunk of each zone to which some were brought that may not be on disks. */
    private final Map<Long, Long> brought = new ConcurrentHashMap<>();

    /**
     * Attempts with chunks that could not be brought, by themselves or together with those of
     * others, of which others have heard alone.
     */
    private final Map<Long, Throwable> failed = new ConcurrentHashMap<>();

    /** Shared by who brings chunks; held by who waits for all of them. */
    private final ReadWriteLock bringing = new ReentrantReadWriteLock();

    /** Chunks that have been written, and that no backup has heard of; pinned until one has. */
    private record Gathered(long attempt, Range range, PinnedRange pinned) {}

    /**
     * None yet.
     *
     * @param node lent by the slave
     * @param kind what attempts are
     */
    public MadeChunks(NodeContext node, Kind kind) {
        this.node = node;
        this.leftOvers = new LeftOvers(node.chunks(), "which nobody needs any more");
        this.kind = kind;
    }

    /**
     * Makes chunks. Backups need not have them before {@link #settle}.
     *
     * @param attempt for which they are
     * @param chunks where they are made
     * @param sizes their lengths, not empty
     * @param writer writes the values
     * @return id of the first
     */
    public long make(long attempt, ChunkService chunks, int[] sizes, Consumer<PinnedRange> writer) {
        long first = chunks.createUnreplicated(sizes);
        Range range = new Range(first, sizes.length);
        add(attempt, range);
        PinnedRange pinned = chunks.pin(first, sizes.length);
        boolean isGathered = false;
        boolean isEnough = false;
        try {
            writer.accept(pinned);
            if (ChunkId.isReplicated(first)) {
                long bytes = Arrays.stream(sizes).asLongStream().sum();
                isEnough = gather(new Gathered(attempt, range, pinned), bytes);
                isGathered = true;
            }
        } finally {
            if (!isGathered) {
                pinned.close();
            }
        }
        if (isEnough) {
            bring();
        }
        return first;
    }

    /**
     * Makes a chunk of numbers, 8 bytes each.
     *
     * @return its id
     */
    public long make(long attempt, ChunkService chunks, long[] numbers) {
        return make(
                attempt,
                chunks,
                new int[] {Math.multiplyExact(numbers.length, Long.BYTES)},
                pinned ->
                        NativeMemory.copyFromArray(numbers, 0, pinned.address(0), numbers.length));
    }

    private synchronized void add(long attempt, Range range) {
        own.computeIfAbsent(attempt, _ -> new ArrayList<>()).add(range);
    }

    private synchronized boolean gather(Gathered one, long bytes) {
        gathered.add(one);
        gatheredBytes += bytes;
        return gatheredBytes >= GATHERED_BYTES;
    }

    /**
     * Waits until backups have all chunks that have been made, and on their disks: what leads to
     * them is on disks, too, and everything may be killed at once.
     *
     * @param attempts for which chunks have been made that are relied on from now on
     * @throws StoreException if chunks of one of them could not be brought to backups, whoever has
     *     tried
     */
    public void settle(long... attempts) {
        bringing.writeLock().lock();
        try {
            bringAll();
            for (long attempt : attempts) {
                Throwable failure = failed.get(attempt);
                if (failure != null) {
                    throw new StoreException(
                            "chunks of the same attempt could not be brought to backups: "
                                    + failure.getMessage(),
                            failure);
                }
            }
            node.chunks().sync(brought.values());
            brought.clear();
        } finally {
            bringing.writeLock().unlock();
        }
    }

    private void bring() {
        bringing.readLock().lock();
        try {
            bringAll();
        } finally {
            bringing.readLock().unlock();
        }
    }

    private void bringAll() {
        List<Gathered> taken = take();
        Map<Long, List<Range>> made = new LinkedHashMap<>();
        taken.forEach(
                one -> made.computeIfAbsent(one.attempt, _ -> new ArrayList<>()).add(one.range));
        List<MadeRecord> records = new ArrayList<>();
        made.forEach((attempt, ranges) -> records.addAll(records(attempt, ranges)));
        try {
            node.records().note(records);
        } catch (RuntimeException | Error perhaps) {
            made.keySet().forEach(attempt -> failed.put(attempt, perhaps));
            Thread.ofVirtual().name("made-chunks").start(() -> undo(records, taken));
            throw perhaps;
        }
        try {
            ChunkService chunks = node.chunks().with(Durability.PROCESS);
            records.forEach(record ->
                    record.ranges()
                            .forEach(range -> chunks.replicate(range.first(), range.count())));
            taken.forEach(one -> brought.put(ChunkId.zone(one.range.first()), one.range.first()));
        } catch (RuntimeException | Error perhaps) {
            made.keySet().forEach(attempt -> failed.put(attempt, perhaps));
            throw perhaps;
        } finally {
            unpin(taken); // not handed over before
        }
    }

    /**
     * Removes chunks of an attempt that has failed because the directory did not say that it had
     * noted them. They are noted again until it does, and stay pinned, so that nobody else can
     * remove them; from then on they go as all others do. Ends with the node at the latest.
     */
    private void undo(List<MadeRecord> records, List<Gathered> taken) {
        boolean isNoted = insist(() -> node.records().note(records), taken);
        unpin(taken);
        if (isNoted) {
            boolean _ = insist(() -> MadeRecords.each(records, this::remove), taken);
        }
    }

    private void remove(MadeRecord record) {
        if (node.removal().remove(record) == Removal.LATER) {
            throw new StoreException(record.name() + " can't be removed yet");
        }
    }

    /** Whether something was done at last, and not given up as all the chunks are others' now. */
    private boolean insist(Runnable work, List<Gathered> taken) {
        while (taken.stream().anyMatch(one -> node.chunks().isLocal(one.range.first()))) {
            LockSupport.parkNanos(PAUSE.toNanos());
            try {
                work.run();
                return true;
            } catch (StoreException perhaps) {
                LOG.debug("chunks that may be noted are removed later", perhaps);
            }
        }
        return false;
    }

    private static void unpin(List<Gathered> taken) {
        taken.forEach(one -> one.pinned.close());
    }

    private List<MadeRecord> records(long attempt, List<Range> ranges) {
        long job = Attempt.job(Attempt.term(attempt));
        return MadeRecord.of(job, kind, attempt, node.node(), Range.joined(ranges));
    }

    /**
     * What is noted, or perhaps is, is not removed here: there may be others under its ids then.
     */
    private synchronized List<Gathered> take() {
        List<Gathered> taken = gathered;
        gathered = new ArrayList<>();
        gatheredBytes = 0;
        for (Gathered one : taken) {
            List<Range> ranges = own.get(one.attempt);
            if (ranges != null) {
                ranges.remove(one.range);
            }
        }
        own.values().removeIf(List::isEmpty);
        return taken;
    }

    /** What was made for an attempt stands. */
    public synchronized void forget(long attempt) {
        failed.remove(attempt);
        own.remove(attempt);
    }

    /**
     * Removes what this node alone knows of attempts, and where backups are missing as soon as they
     * are there.
     */
    public void remove(LongPredicate which) {
        takeOwn(which).forEach(range -> leftOvers.remove(range.first(), range.count()));
    }

    private synchronized List<Range> takeOwn(LongPredicate which) {
        List<Range> taken = new ArrayList<>();
        own.forEach((attempt, ranges) -> {
            if (which.test(attempt)) {
                taken.addAll(ranges);
            }
        });
        own.keySet().removeIf(which::test);
        failed.keySet().removeIf(which::test);
        gathered.removeIf(one -> {
            if (which.test(one.attempt)) {
                one.pinned.close();
                return true;
            }
            return false;
        });
        return taken;
    }
}
