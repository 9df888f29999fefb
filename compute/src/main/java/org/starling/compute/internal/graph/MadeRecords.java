package org.starling.compute.internal.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.StoreException;

/**
 * The directory's names of chunks that attempts have made ({@link MadeRecord}), as one process uses
 * them. A name leads to the first of its chunks until somebody claims it; from then on to the
 * claimant, who alone removes the chunks, and takes the name out when they are gone. So whoever has
 * not heard an answer asks again and gets the same one. What takes many steps takes them at once,
 * on threads of their own, which no interrupt of the caller reaches. Any thread.
 */
public final class MadeRecords {
    private static final Logger LOG = LogManager.getLogger(MadeRecords.class);

    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("made-chunks").start(task);

    /**
     * So many steps are taken at once: the directory knows no more than the last 1024 commands when
     * they come again.
     */
    static final int MAX_AT_ONCE = 256;

    /** So many are claimed and not removed yet at once. */
    private static final int FEW_AT_ONCE = 4;

    /** No replicated chunk has less in the place of its zone. */
    private static final long MAX_CLAIM = 1L << 47;

    private final NameService names;

    /** What this process claims by: an id of its node that no chunk with backups has. */
    private final long claimant;

    /** How much this process has removed of records that it has not finished with. */
    private final Map<MadeRecord, Progress> progress = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private static final class Progress {
        private int removedRanges;
    }

    /** What has become of chunks that were to be removed. */
    public enum Removal {
        /** This process has removed them, or whoever had claimed them is gone. */
        DONE,
        /** They are there still, or another one is about to remove them. */
        LATER
    }

    /**
     * Those of a cluster, for a process that lasts.
     *
     * @param node of this process
     */
    public MadeRecords(NameService names, int node) {
        this.names = names;
        this.claimant = ChunkId.of(node, ThreadLocalRandom.current().nextLong(1, MAX_CLAIM));
    }

    /**
     * Notes chunks that have been made and that no backup has heard of.
     *
     * @throws StoreException if the directory can't note them; it may have noted some all the same
     */
    public void note(List<MadeRecord> records) {
        each(records, record -> names.compareAndSet(record.name(), ChunkId.NONE, first(record)));
    }

    /** All of a job and a kind. */
    public List<MadeRecord> list(long job, Kind kind) {
        List<MadeRecord> found = new ArrayList<>();
        run(() ->
                names.list(MadeRecord.prefix(job, kind)).keySet().stream()
                        .map(MadeRecord::of)
                        .flatMap(Optional::stream)
                        .forEach(found::add));
        return found;
    }

    /**
     * The chunks of some attempts are sure to stay: nobody removes them as what was left.
     *
     * @throws StoreException if the directory may still name them; an {@link
     *     IndeterminateException} if it is worth while to try again
     */
    public void drop(long job, Kind kind, LongPredicate attempts) {
        List<MadeRecord> found = listToDrop(job, kind);
        found.removeIf(record -> !attempts.test(record.attempt()));
        each(found, this::drop);
    }

    /**
     * The same for attempts that have made one of these chunks. Records of the chunks go last: by
     * them whoever comes next finds the others, should this one be lost meanwhile.
     *
     * @param attempts these attempts are added, before the first record goes
     */
    public void dropWith(long job, Collection<Long> chunks, Set<Long> attempts) {
        if (chunks.isEmpty()) {
            return;
        }
        Map<Boolean, List<MadeRecord>> all =
                listToDrop(job, Kind.CHECKPOINT).stream()
                        .collect(
                                Collectors.partitioningBy(
                                        record -> chunks.stream().anyMatch(record::has)));
        List<MadeRecord> last = all.getOrDefault(true, List.of());
        Set<Long> found = last.stream().map(MadeRecord::attempt).collect(Collectors.toSet());
        attempts.addAll(found);
        each(
                all.getOrDefault(false, List.of()).stream()
                        .filter(record -> found.contains(record.attempt()))
                        .toList(),
                this::drop);
        each(last, this::drop);
    }

    private List<MadeRecord> listToDrop(long job, Kind kind) {
        try {
            return list(job, kind);
        } catch (StoreException down) {
            throw new IndeterminateException(
                    "the directory may still name what job %d has made: %s"
                            .formatted(job, down.getMessage()),
                    down);
        }
    }

    /**
     * Removes the chunks of a record once this process has claimed it, and takes it out. What could
     * not be removed is left to the next try: to that of anybody, if nothing was removed yet.
     *
     * @param isMember whether a node is there; what one that is gone has claimed and not removed
     *     stays for good, as its ids may be others' by now
     * @param removal removes the chunks of a range; false if it has removed none, and may be asked
     *     again
     */
    public Removal remove(MadeRecord record, IntPredicate isMember, Predicate<Range> removal) {
        Progress done = progress.computeIfAbsent(record, _ -> new Progress());
        synchronized (done) {
            long holder = claim(record);
            if (holder != claimant) {
                progress.remove(record, done);
                return leave(record, holder, isMember);
            }
            while (done.removedRanges < record.ranges().size()) {
                if (!removal.test(record.ranges().get(done.removedRanges))) {
                    if (done.removedRanges == 0) {
                        boolean _ = names.compareAndSet(record.name(), claimant, first(record));
                    }
                    return Removal.LATER;
                }
                done.removedRanges++;
            }
            drop(record);
            progress.remove(record, done);
            return Removal.DONE;
        }
    }

    private Removal leave(MadeRecord record, long holder, IntPredicate isMember) {
        boolean isClaim = holder != ChunkId.NONE && !ChunkId.isReplicated(holder);
        if (!isClaim) {
            return holder == ChunkId.NONE ? Removal.DONE : Removal.LATER;
        }
        if (isMember.test(ChunkId.creator(holder))) {
            return Removal.LATER;
        }
        LOG.warn(
                "node {}, which was about to remove {}, is gone; what it has not removed stays",
                ChunkId.creator(holder),
                record.name());
        drop(record);
        return Removal.DONE;
    }

    /** What the name leads to now, and {@link ChunkId#NONE} if it is gone. */
    private long claim(MadeRecord record) {
        return names.compareAndSet(record.name(), first(record), claimant)
                ? claimant
                : names.lookup(record.name());
    }

    /**
     * Takes a record for this process, which has made the chunks and does not know whether they are
     * noted: from now on nobody else removes them.
     *
     * @throws StoreException if it is to be tried again: nobody knows, or another one has claimed
     *     them
     */
    public void take(MadeRecord record) {
        if (!names.compareAndSet(record.name(), ChunkId.NONE, claimant)
                && claim(record) != claimant) {
            throw new StoreException("another node has claimed " + record.name());
        }
    }

    /** Takes a record out, whoever has claimed it. */
    public void drop(MadeRecord record) {
        names.remove(record.name());
    }

    private static long first(MadeRecord record) {
        return record.ranges().getFirst().first();
    }

    /**
     * Does something with all records, many at once, and throws what goes wrong with one of them.
     */
    public static void each(List<MadeRecord> records, Consumer<MadeRecord> work) {
        each(records, MAX_AT_ONCE, work);
    }

    /** The same with so few at once that little is left behind by whoever is lost meanwhile. */
    public static void eachOfFew(List<MadeRecord> records, Consumer<MadeRecord> work) {
        each(records, FEW_AT_ONCE, work);
    }

    private static void each(List<MadeRecord> records, int atOnce, Consumer<MadeRecord> work) {
        for (int i = 0; i < records.size(); i += atOnce) {
            run(
                    records.subList(i, Math.min(records.size(), i + atOnce)).stream()
                            .<Runnable>map(record -> () -> work.accept(record))
                            .toList());
        }
    }

    private static void run(Runnable work) {
        run(List.of(work));
    }

    private static void run(List<Runnable> works) {
        List<CompletableFuture<Void>> all =
                works.stream().map(work -> CompletableFuture.runAsync(work, THREADS)).toList();
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }
}
