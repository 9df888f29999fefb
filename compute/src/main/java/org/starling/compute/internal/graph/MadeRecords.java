package org.starling.compute.internal.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.StoreException;

/**
 * The directory's names of chunks that attempts have made ({@link MadeRecord}). A name leads to the
 * first of its chunks until an owner removes them ({@link MadeRemoval}). What takes many steps
 * takes them at once, on threads of their own, which no interrupt of the caller reaches. Any
 * thread. Immutable.
 */
public final class MadeRecords {
    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("made-chunks").start(task);

    /**
     * So many steps are taken at once: the directory knows no more than the last 1024 commands when
     * they come again.
     */
    public static final int MAX_AT_ONCE = 256;

    private final NameService names;

    /** Those of a cluster. */
    public MadeRecords(NameService names) {
        this.names = names;
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

    /** Takes a record out: its chunks are gone, or sure to stay. */
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
        for (int i = 0; i < records.size(); i += MAX_AT_ONCE) {
            run(
                    records.subList(i, Math.min(records.size(), i + MAX_AT_ONCE)).stream()
                            .<Runnable>map(record -> () -> work.accept(record))
                            .toList());
        }
    }

    /** Does something on a thread that no interrupt of the caller reaches, and waits for it. */
    public static void run(Runnable work) {
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
