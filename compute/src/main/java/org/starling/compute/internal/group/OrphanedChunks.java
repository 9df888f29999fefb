package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.MadeRemoval;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.ComputeMessage.Command;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.QueryMessage.RemoveMade;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Chunks of attempts that have ended, whoever has made them: the directory names them ({@link
 * MadeRecords}), and the owners of their zones remove them ({@link MadeRemoval}). What can't be
 * removed now keeps its name, and is left to who comes next: this master, the next one of the job,
 * or that of another job when this one is over. See docs/design/engine.md, "What attempts leave".
 * Confined to the job's thread.
 */
final class OrphanedChunks {
    private static final Logger LOG = LogManager.getLogger(OrphanedChunks.class);

    /** What can't be removed at the end of a job is tried again for so long. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int MAX_TRIES = 20;
    private static final Duration REMOVAL_TIMEOUT = Duration.ofSeconds(60);

    private static final int NOBODY = -1;
    private static final int NOTHING = -2;

    private final StoreNode store;
    private final Group group;
    private final Recovery recovery;
    private final long term;
    private final MadeRecords records;

    /** Attempts whose chunks are reached in another way. */
    private final Set<Long> standing = new HashSet<>();

    /** Slaves that have not answered when they were told last that attempts have ended. */
    private Set<Integer> busy = Set.of();

    /**
     * Those of one job, and of others that are over.
     *
     * @param term of the master
     */
    OrphanedChunks(StoreNode store, Group group, Recovery recovery, long term) {
        this.store = store;
        this.group = group;
        this.recovery = recovery;
        this.term = term;
        this.records = new MadeRecords(store.names());
    }

    /**
     * Lets all slaves end attempts: who answers makes no chunks for them any more.
     *
     * @param stuck sentences are added of work that does not stop
     */
    void end(Command<Done> command, Duration timeout, List<String> stuck) {
        int[] slaves = group.slaves();
        List<Optional<Done>> answers = group.allQuietly(command, timeout, stuck);
        Set<Integer> silent = new HashSet<>();
        for (int i = 0; i < slaves.length; i++) {
            if (answers.get(i).isEmpty()) {
                silent.add(slaves[i]);
            }
        }
        busy = silent;
    }

    /**
     * A graph's descriptor leads to the chunks of a build from now on.
     *
     * @throws StoreException if the directory may still name them; then they must not be removed in
     *     another way
     */
    void stands(long job, long build) {
        standing.add(build);
        records.drop(job, Kind.BUILD, one -> one == build);
    }

    /** The same for attempts of checkpoints that have made one of these chunks. */
    void stands(long job, Collection<Long> chunks) {
        records.dropWith(job, chunks, standing);
    }

    /** A graph of the job has been found, all of which its descriptor leads to. */
    void stands(KnownGraph graph) {
        if (!graph.version().exists()) {
            standing.add(graph.descriptor().number());
        }
    }

    /** Removes what checkpoints of this job have left, as far as it has an owner. */
    void removeCheckpoints(LongPredicate which) {
        boolean _ = remove(term, Kind.CHECKPOINT, which, false);
    }

    /** The same of a build. */
    void removeBuild(long build) {
        boolean _ = remove(term, Kind.BUILD, number -> number == build, false);
    }

    /** Removes all that builds of this job have left, none of which is needed; waits for owners. */
    void removeBuilds() {
        boolean _ = remove(term, Kind.BUILD, _ -> true, true);
    }

    /** The same of all that this job has left, at its end. */
    void removeAll() {
        removeAllUntil(term);
    }

    /** Removes all that a job has left that is over. */
    void removeOf(long job) {
        removeAllUntil(Attempt.term(job, Attempt.MAX_ATTEMPTS));
    }

    private void removeAllUntil(long newest) {
        long start = System.nanoTime();
        Set<Kind> left = EnumSet.allOf(Kind.class);
        left.removeIf(kind -> remove(newest, kind, _ -> true, true));
        for (int tries = 1; // counted, as a thread that is interrupted does not pause
                tries < MAX_TRIES
                        && !left.isEmpty()
                        && System.nanoTime() - start < END_PATIENCE.toNanos();
                tries++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            left.removeIf(kind -> remove(newest, kind, _ -> true, true));
        }
    }

    /** Whether nothing is left that can be removed now. */
    private boolean remove(long newest, Kind kind, LongPredicate attempts, boolean waits) {
        try {
            List<MadeRecord> ended = records.list(Attempt.job(newest), kind);
            ended.removeIf(record ->
                    Attempt.term(record.attempt()) > newest
                            || !attempts.test(record.attempt())
                            || isAtWork(record.maker(), waits));
            if (waits) {
                awaitOwners(ended);
            }
            AtomicBoolean isDone = new AtomicBoolean(true);
            MadeRecords.run(() -> {
                for (int i = 0; i < ended.size(); i += MadeRecords.MAX_AT_ONCE) {
                    int end = Math.min(i + MadeRecords.MAX_AT_ONCE, ended.size());
                    isDone.set(remove(ended.subList(i, end)) && isDone.get());
                }
            });
            return isDone.get();
        } catch (StoreException down) {
            LOG.info("what attempts have left is removed later: {}", down.getMessage());
            return false;
        }
    }

    private boolean remove(List<MadeRecord> ended) {
        Map<Integer, List<MadeRecord>> byOwner =
                ended.stream().collect(Collectors.groupingBy(this::owner));
        MadeRecords.each(byOwner.getOrDefault(NOTHING, List.of()), records::drop);
        List<CompletableFuture<Boolean>> removals = new ArrayList<>();
        byOwner.forEach((owner, theirs) -> {
            if (owner >= 0) { // else there is nobody to ask now
                removals.add(ask(owner, theirs));
            }
        });
        return removals.stream().filter(removal -> !removal.join()).count() == 0;
    }

    /** Whether somebody may go on to make chunks. */
    private boolean isAtWork(int maker, boolean waits) {
        if (waits && busy.contains(maker) && group.isMember(maker)) {
            recovery.awaitVerdict(maker);
        }
        return busy.contains(maker) && group.isMember(maker);
    }

    /** One wait for each zone: it may be long, and there may be many ranges. */
    private void awaitOwners(List<MadeRecord> ended) {
        Set<Long> zones = new HashSet<>();
        for (MadeRecord record : ended) {
            for (Range range : record.ranges()) {
                if (zones.add(ChunkId.zone(range.first()))) {
                    awaitOwner(range);
                }
            }
        }
    }

    /** If nobody comes to own them they are left to others. */
    private void awaitOwner(Range range) {
        try {
            recovery.awaitOwnerToRemove("a graph that was not finished", range.first());
        } catch (ChunkNotFoundException none) {
            LOG.debug("chunks are gone with their zone: {}", none.getMessage());
        } catch (StoreException | JobFailedException e) {
            LOG.warn(
                    "{} chunks from {} on, of work that failed, are removed later: {}",
                    range.count(),
                    ChunkId.toString(range.first()),
                    e.getMessage());
        }
    }

    /** {@link #NOBODY} if it can't be asked now, {@link #NOTHING} if nothing is to be removed. */
    private int owner(MadeRecord record) {
        if (standing.contains(record.attempt())) {
            return NOTHING;
        }
        try {
            int owner = store.chunks().owner(record.ranges().getFirst().first());
            return group.isMember(owner) ? owner : NOBODY;
        } catch (ChunkNotFoundException none) {
            LOG.debug("{} is of a zone that is gone", record.name());
            return NOTHING;
        }
    }

    private CompletableFuture<Boolean> ask(int owner, List<MadeRecord> theirs) {
        boolean computes = store.membership().node(owner).map(NodeInfo::computes).orElse(true);
        if (!computes) {
            return CompletableFuture.completedFuture(removeOfAnother(theirs));
        }
        RemoveMade command = new RemoveMade(theirs.stream().map(MadeRecord::name).toList());
        return store.network()
                .request(owner, command, REMOVAL_TIMEOUT)
                .handle((left, failure) -> {
                    if (failure != null) {
                        LOG.info(
                                "what attempts have left is removed later: {}",
                                failure.getMessage());
                    }
                    return failure == null && left.values()[0] == 0;
                });
    }

    /**
     * Removes chunks in zones of a peer that makes none for attempts: it has taken them over, and
     * gives none of their ids to others.
     */
    private boolean removeOfAnother(List<MadeRecord> theirs) {
        AtomicBoolean isDone = new AtomicBoolean(true);
        MadeRecords.each(
                theirs,
                record -> {
                    try {
                        record.ranges()
                                .forEach(range ->
                                        store.chunks().removeRange(range.first(), range.count()));
                        records.drop(record);
                    } catch (StoreException e) {
                        LOG.info("{} is removed later: {}", record.name(), e.getMessage());
                        isDone.set(false);
                    }
                });
        return isDone.get();
    }
}
