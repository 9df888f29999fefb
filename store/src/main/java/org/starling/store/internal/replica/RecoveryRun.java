package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import jdk.jfr.FlightRecorder;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Message;
import org.starling.net.RemoteException;
import org.starling.net.Request;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.log.LogFailedException;
import org.starling.store.internal.log.ZoneLog;
import org.starling.store.internal.replica.ReplicaMessage.Backup;
import org.starling.store.internal.replica.ReplicaMessage.Status;

/**
 * One recovery of one zone (docs/design/reliability.md, "recovery"): fence all sources; the longest
 * stream wins; fetch what is missing here; replay the log into memory while the shorter sources get
 * what they miss; force all. Each step begins when the one before has ended, on the executor; a
 * step that fails ends the recovery, and whoever asked for it asks again with the sources that are
 * left. Nobody else recovers the zone under the same epoch.
 */
final class RecoveryRun {
    private static final Logger LOGGER = LogManager.getLogger(RecoveryRun.class);
    private static final int TAIL_BYTES = 1 << 20;
    private static final int NONE = -1;

    /** Stands for an answer that did not come; told by identity. */
    private static final Backup SILENT = new Backup(Status.FAILED, 0, 0, 0);

    private final int self;
    private final long zone;
    private final long epoch;
    private final ZoneSources sources;

    /** Its nodes without this one. */
    private final List<Integer> others;

    /** What there is of it already; null if nothing. */
    private final @Nullable PreparedZone prepared;

    private final BackupService backups;
    private final OwnedZones owned;
    private final LocalChunks chunks;
    private final BackupWire wire;
    private final Executor executor;
    private final int threads;
    private final CompletableFuture<RecoveryReport> report = new CompletableFuture<>();

    /** Sources that cannot be brought to the end of the stream. */
    private final Set<Integer> left = ConcurrentHashMap.newKeySet();

    /** What each source with a log has told, perhaps this node too. */
    private final Map<Integer, Backup> told = new TreeMap<>();

    /** What each other source has. */
    private final Map<Integer, Long> ends = new TreeMap<>();

    /** Up to where some source knows that changes were safe, for certain and perhaps. */
    private long safeEnd;

    private long claimedEnd;

    /** Sources that have lost changes which were safe there. */
    private final Set<Integer> shortened = new TreeSet<>();

    /** Sources without a log that can be told, this node perhaps among them. */
    private final SortedSet<Integer> without = new TreeSet<>();

    /** Those who did not answer, or could not read for now. */
    private final Set<Integer> silent = ConcurrentHashMap.newKeySet();

    /** Sources whose disks could not read their logs for now, this node perhaps among them. */
    private final SortedSet<Integer> unread = new TreeSet<>();

    /** Sources that could not tell all of their content; no good copies if another one can. */
    private final Set<Integer> rotten = ConcurrentHashMap.newKeySet();

    /** Whether members that are not listed and have the zone are to be asked. */
    private volatile boolean isAllDamaged;

    /** Whether they have been, or there are none. */
    private volatile boolean hasAskedOthers;

    /** The source of the content if this node's own log cannot be brought to the end. */
    private volatile int onlySource = NONE;

    /** Whether memory was begun anew, so that what was prepared is there no more. */
    private volatile boolean isAnew;

    /** Whether this node's log has the end of the stream on disk. */
    private volatile boolean isOnOwnDisk;

    private volatile boolean isStopped;

    /** Set at the start; null if there is no recording. */
    private @Nullable ZoneRecoveryEvent event;

    RecoveryRun(
            int self,
            long zone,
            long epoch,
            ZoneSources sources,
            @Nullable PreparedZone prepared,
            BackupService backups,
            OwnedZones owned,
            LocalChunks chunks,
            BackupWire wire,
            Executor executor,
            int threads) {
        this.self = self;
        this.zone = zone;
        this.epoch = epoch;
        this.sources = sources;
        this.others = sources.nodes().stream().filter(node -> node != self).distinct().toList();
        this.hasAskedOthers = sources.others().isEmpty();
        this.prepared = prepared;
        this.backups = backups;
        this.owned = owned;
        this.chunks = chunks;
        this.wire = wire;
        this.executor = executor;
        this.threads = threads;
    }

    long epoch() {
        return epoch;
    }

    CompletableFuture<RecoveryReport> report() {
        return report;
    }

    boolean hasFailed() {
        return report.isCompletedExceptionally();
    }

    /** Makes it end soon; completes when it has. */
    CompletableFuture<?> stop() {
        isStopped = true;
        return report;
    }

    /** Begins; on the executor. */
    void start() {
        if (FlightRecorder.isInitialized()) {
            event = new ZoneRecoveryEvent();
            event.begin();
        }
        CompletableFuture<Void> fenced;
        try {
            if (!owned.forgetRecovered(zone)) {
                throw new StoreException("node " + self + " owns the zone already");
            }
            if (prepared == null) {
                chunks.closeZone(zone);
            }
            fenced = fenceAll();
        } catch (RuntimeException e) {
            if (prepared != null) {
                prepared.discard();
            }
            report.completeExceptionally(e);
            return;
        }
        CompletableFuture<?> _ =
                fenced.thenComposeAsync(ignored -> bring(), executor)
                        .whenCompleteAsync(this::ended, executor);
    }

    private static boolean isWhole(Backup answer) {
        return answer.status() == Status.OK
                && !answer.isDamaged()
                && answer.safeEnd() <= answer.end();
    }

    private CompletableFuture<RecoveredZone> bring() {
        return fetch().thenComposeAsync(this::restoreAndAlign, executor)
                .exceptionallyComposeAsync(this::bringFromOthers, executor);
    }

    /** Once more, if what was tried is damaged and there is something else to try. */
    private CompletableFuture<RecoveredZone> bringFromOthers(Throwable failure) {
        boolean isUntold = rotten.contains(onlySource) || silent.contains(onlySource);
        if (isUntold && isEnoughWithout(onlySource)) {
            return bringWithout(onlySource);
        }
        if (isAllDamaged && !hasAskedOthers) {
            return bringFromUnlisted();
        }
        return CompletableFuture.failedFuture(failure);
    }

    /**
     * Whether the others have all that was acknowledged: every listed backup has, and of nodes that
     * came back with their disks all but one, if that is the only one that is not whole.
     */
    private boolean isEnoughWithout(int source) {
        boolean areAllThere = sources.isComplete() && told.size() == sources.nodes().size();
        return !sources.isLost()
                || (areAllThere
                        && told.entrySet().stream()
                                .filter(each -> each.getKey() != source)
                                .allMatch(this::isWholeNow));
    }

    private boolean isWholeNow(Map.Entry<Integer, Backup> source) {
        int node = source.getKey();
        return isWhole(source.getValue()) && !rotten.contains(node) && !silent.contains(node);
    }

    /** Without the longest stream, whose source can tell neither its changes nor its content. */
    private CompletableFuture<RecoveredZone> bringWithout(int source) {
        onlySource = NONE;
        told.remove(source);
        left.removeAll(told.keySet());
        left.add(source);
        ends.clear();
        shortened.clear();
        safeEnd = 0;
        claimedEnd = 0;
        told.forEach(this::count);
        return bring();
    }

    /**
     * With members that have the zone on disk and are not listed, if all who are have damaged
     * copies. What they lack they get from this node's log, as the others do.
     */
    private CompletableFuture<RecoveredZone> bringFromUnlisted() {
        hasAskedOthers = true;
        Map<Integer, CompletableFuture<Backup>> answers = fence(sources.others());
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(
                        ignored -> {
                            answers.forEach((node, answer) -> fencedToo(node, answer.join()));
                            return bring();
                        },
                        executor);
    }

    private void fencedToo(int node, Backup answer) {
        checkNotStale(node, answer);
        if (answer.status() == Status.FAILED) {
            silent.add(node);
        }
        if (isWhole(answer)) {
            told.put(node, answer);
            count(node, answer);
        }
    }

    private void ended(RecoveredZone zoneNow, Throwable failure) {
        if (failure == null && !isStopped) {
            owned.recovered(zoneNow);
            note(zoneNow.report(), "");
            report.complete(zoneNow.report());
            return;
        }
        String reason =
                failure == null ? "there is a newer one" : String.valueOf(failure.getMessage());
        LOGGER.info(
                "recovery of zone {} under epoch {} on node {} stopped: {}",
                Long.toHexString(zone),
                epoch,
                self,
                reason);
        note(null, reason);
        chunks.leaveZone(zone, null);
        report.completeExceptionally(
                failure == null ? new StoreException("a newer recovery took over") : failure);
        chunks.freeClosedZones();
    }

    private void note(@Nullable RecoveryReport outcome, String reason) {
        if (event != null) {
            event.commit(zone, epoch, outcome, reason);
        }
    }

    // fence

    private CompletableFuture<Void> fenceAll() {
        Map<Integer, CompletableFuture<Backup>> answers = fence(others);
        answers.put(self, backups.take(self, new ReplicaMessage.Fence(zone, epoch + 1)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> {
                    answers.forEach((node, answer) -> fenced(node, answer.join()));
                    leaveDamaged();
                    told.forEach(this::count);
                    checkSources();
                });
    }

    private Map<Integer, CompletableFuture<Backup>> fence(List<Integer> nodes) {
        ReplicaMessage.Fence fence = new ReplicaMessage.Fence(zone, epoch + 1);
        Map<Integer, CompletableFuture<Backup>> answers = new TreeMap<>();
        nodes.forEach(
                node -> answers.put(node, asked(node, fence).exceptionally(failure -> SILENT)));
        return answers;
    }

    private <R extends Message> CompletableFuture<R> asked(int node, Request<R> question) {
        try {
            return wire.ask(node, question);
        } catch (RuntimeException e) { // a network that is closed or full
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a real answer may say the same
    private static boolean isSilent(Backup answer) {
        return answer == SILENT;
    }

    private void fenced(int node, Backup answer) {
        checkNotStale(node, answer);
        if (answer.status() == Status.OK) {
            told.put(node, answer);
            return;
        }
        without.add(node);
        if (isSilent(answer)) {
            silent.add(node);
        } else if (answer.status() == Status.FAILED) {
            unread.add(node);
        }
    }

    private static void checkNotStale(int node, Backup answer) {
        if (answer.status() == Status.STALE) {
            throw new StoreException(
                    "node " + node + " has been fenced under epoch " + answer.epoch() + " already");
        }
    }

    /**
     * A damaged log is no good copy, and where there is a whole one it does not count, even if its
     * stream is longer: else what only it has, and cannot tell, would keep the others from being
     * believed. Every listed backup has all that was acknowledged. Nodes that came back with their
     * disks have it without any one of them, if all have; else a whole one has to reach as far as
     * anybody knows that changes were safe, those who have lost their ends among them.
     */
    private void leaveDamaged() {
        LongSummaryStatistics whole =
                told.values().stream()
                        .filter(answer -> !answer.isDamaged())
                        .mapToLong(Backup::end)
                        .summaryStatistics();
        if (whole.getCount() == 0) {
            return;
        }
        long safe = told.values().stream().mapToLong(Backup::safeEnd).max().orElseThrow();
        boolean isWithoutOne =
                sources.isComplete() && unread.isEmpty() && whole.getCount() == told.size() - 1;
        boolean isEnough = !sources.isLost() || isWithoutOne || whole.getMax() >= safe;
        Backup own = told.get(self);
        if (own != null && own.isDamaged() && own.end() > whole.getMax() && isEnough) {
            throw anotherIsWhole();
        }
        told.entrySet()
                .removeIf(source -> {
                    boolean goes =
                            source.getKey() != self
                                    && source.getValue().isDamaged()
                                    && (isEnough || source.getValue().safeEnd() <= whole.getMax());
                    return goes && left.add(source.getKey());
                });
    }

    private static StoreException anotherIsWhole() {
        return new StoreException(
                "this node's log of the zone is damaged, and another node has a whole one");
    }

    private void count(int node, Backup answer) {
        if (node != self) {
            ends.put(node, answer.end());
        }
        safeEnd = Math.max(safeEnd, answer.safeEnd());
        claimedEnd = Math.max(claimedEnd, answer.claimedEnd());
        if (answer.safeEnd() > answer.end()) {
            shortened.add(node);
        }
    }

    /**
     * Every listed backup has all that was acknowledged, so one with a log is enough, and one that
     * does not answer can be left out; but not all others, as then it may be this node that is cut
     * off. What nodes bring back from their disks is all of it only together, so the directory has
     * to know who of them has nothing, and to say whether the others are enough. A log that can't
     * be read for now is none that is gone, but may be the one that is not needed.
     */
    private void checkSources() {
        if (without.isEmpty()) {
            return;
        }
        if (!silent.isEmpty() && (sources.isLost() || (ends.isEmpty() && left.isEmpty()))) {
            throw new StoreException("sources of the zone do not answer: " + silent);
        }
        silent.addAll(unread);
        if (sources.isLost() && without.size() > unread.size()) {
            SortedSet<Integer> none = new TreeSet<>(without);
            none.removeAll(unread);
            backups.retire(zone, epoch, List.copyOf(none));
            throw new StoreException("no readable log of the zone on nodes that had one: " + none);
        }
        boolean isEnough = !sources.isLost() || (sources.isComplete() && unread.size() <= 1);
        if (!isEnough || unread.contains(self)) {
            throw cannotRead();
        }
        if (without.contains(self)) {
            throw new StoreException("this node has no readable log of the zone");
        }
        left.addAll(without);
        left.remove(self);
    }

    private StoreException cannotRead() {
        return new StoreException(
                "nodes %s can't read their logs of zone %x, which may be needed: mend their disks and start them again, or stop and remove them if they are gone for good"
                        .formatted(unread, zone));
    }

    // fetch

    /** Brings this node's log to the end of the longest one; gives that end. */
    private CompletableFuture<Long> fetch() {
        int best = self;
        long end = ownLog().end();
        for (Map.Entry<Integer, Long> source : ends.entrySet()) {
            if (source.getValue() > end) {
                end = source.getValue();
                best = source.getKey();
            }
        }
        checkReach(end);
        long target = end;
        return best == self
                ? CompletableFuture.completedFuture(target)
                : fetchFrom(best, target).thenApply(ignored -> target);
    }

    /**
     * The longest stream has to reach as far as any source knows that it was safe. If it does not,
     * everything may have changed behind its end: nothing of it is believed, and the sources that
     * have lost their ends count as good copies no more.
     */
    private void checkReach(long end) {
        if (end < safeEnd && !unread.isEmpty()) {
            throw cannotRead();
        }
        if (end < safeEnd) {
            String text =
                    "DATA LOST: changes %d to %d of zone %x were safe on the disks of nodes %s and are gone"
                            .formatted(end + 1, safeEnd, zone, shortened);
            LOGGER.error(text);
            backups.retire(zone, epoch, List.copyOf(shortened));
            throw new StoreException(text);
        }
        if (end < claimedEnd) {
            LOGGER.error(
                    "changes {} to {} of zone {} were on their way to the disks when its nodes"
                            + " stopped, and are on none; if files have been cut since, DATA is"
                            + " LOST, else nobody was told that they are safe",
                    end + 1,
                    claimedEnd,
                    Long.toHexString(zone));
        }
    }

    private CompletableFuture<Void> fetchFrom(int node, long target) {
        long from = ownLog().end() + 1;
        if (from > target) {
            return CompletableFuture.completedFuture(null);
        }
        checkNotStopped();
        return wire.ask(node, new ReplicaMessage.Tail(zone, from, TAIL_BYTES))
                .exceptionally(failure -> unread(failure, nothing(from)))
                .thenComposeAsync(part -> takeTail(node, part, target), executor);
    }

    private CompletableFuture<Void> takeTail(int node, ReplicaMessage.TailPart part, long target) {
        if (part.count() == 0) {
            onlySource = node; // it cannot tell its changes one by one, but its content
            return CompletableFuture.completedFuture(null);
        }
        return backups.take(self, append(part))
                .thenComposeAsync(
                        answer -> {
                            checkNotStale(self, answer);
                            if (answer.status() != Status.OK) {
                                onlySource = node; // this node's log takes nothing more
                                return CompletableFuture.completedFuture(null);
                            }
                            return fetchFrom(node, target);
                        },
                        executor);
    }

    private static ReplicaMessage.TailPart nothing(long from) {
        return new ReplicaMessage.TailPart(from, 0, new byte[0]);
    }

    /** What stands for the answer of a node that is there and could not read. */
    private static <R> R unread(Throwable failure, R answer) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof RemoteException) {
            return answer;
        }
        throw new CompletionException(cause);
    }

    private ReplicaMessage.Append append(ReplicaMessage.TailPart part) {
        return new ReplicaMessage.Append(
                zone, epoch + 1, part.first(), part.count(), part.entries());
    }

    // restore and align

    private CompletableFuture<RecoveredZone> restoreAndAlign(long end) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (Map.Entry<Integer, Long> source : ends.entrySet()) {
            int node = source.getKey();
            all.add(
                    send(node, source.getValue() + 1, end)
                            .thenComposeAsync(ignored -> force(node, end), executor));
        }
        if (onlySource == NONE) {
            all.add(
                    backups.take(self, new ReplicaMessage.Force(zone, epoch + 1, end))
                            .thenAccept(answer -> isOnOwnDisk = answer.status() == Status.OK));
        }
        CompletableFuture<Restored> own = CompletableFuture.supplyAsync(this::replay, executor);
        all.add(own);
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(
                        ignored -> complete(own.join(), copies(end).iterator(), end), executor)
                .thenApply(restored -> recovered(end, restored));
    }

    /** What has been put into memory, and the operations that were executed. */
    private record Restored(RestoringTarget target, TagTable tags) {
        private boolean isWhole() {
            return target.damagedTo() == 0;
        }
    }

    private Restored replay() {
        checkNotStopped();
        if (prepared != null && !isAnew && onlySource == NONE && prepared.isComplete()) {
            return new Restored(prepared.target(), prepared.tags());
        }
        Restored restored = anew(0);
        if (onlySource == NONE && isRead(restored.target)) {
            return restored;
        }
        restored.target.damaged(1, Long.MAX_VALUE);
        return restored;
    }

    /** Replays this node's log; what its disk can't read for now counts as damage. */
    private boolean isRead(RestoringTarget target) {
        try {
            ownLog().replay(target, threads);
            return true;
        } catch (LogFailedException e) {
            checkOfDisk(e);
            LOGGER.error("node {} can't read its log of zone {}", self, Long.toHexString(zone), e);
            silent.add(self);
            return false;
        }
    }

    /** Begins with empty memory, which trusts no change at or before a position. */
    private Restored anew(long trustedAfter) {
        isAnew = true;
        chunks.closeZone(zone);
        chunks.openZone(zone, null);
        TagTable tags = new TagTable();
        return new Restored(new RestoringTarget(zone, chunks, tags, trustedAfter), tags);
    }

    /**
     * Takes the content from other sources, one after the other, if what there is is damaged; if
     * theirs is as well, and nobody else may have a whole one, the chunks that may be stale come
     * back as lost.
     */
    private CompletableFuture<Restored> complete(
            Restored restored, Iterator<Integer> copies, long end) {
        if (restored.isWhole()) {
            return CompletableFuture.completedFuture(restored);
        }
        checkNotStopped();
        if (!copies.hasNext()) {
            return CompletableFuture.completedFuture(salvage(restored));
        }
        int node = copies.next();
        LOGGER.error(
                "the log of zone {} on node {} is damaged; node {} is asked for its copy",
                Long.toHexString(zone),
                self,
                node);
        Restored other = anew(0);
        long run = backups.openDump(new DumpTaker(other.target));
        return wire.ask(node, new ReplicaMessage.Dump(zone, run))
                .whenComplete((answer, failure) -> backups.closeDump(run))
                .exceptionally(failure -> unread(failure, SILENT))
                .thenComposeAsync(
                        answer -> {
                            if (answer.status() != Status.OK) {
                                (isSilent(answer) ? silent : rotten).add(node);
                                return complete(restored, copies, end);
                            }
                            left.addAll(rotten);
                            left.addAll(silent);
                            if (left.contains(node) && ends.getOrDefault(node, end) < end) {
                                left.addAll(others); // their logs go on behind this content
                            }
                            isOnOwnDisk = false; // there it is damaged, or lacks the end
                            return CompletableFuture.completedFuture(other);
                        },
                        executor);
    }

    private Restored salvage(Restored damaged) {
        if (sources.isLost() && told.size() > 1 && isEnoughWithout(self)) {
            throw anotherIsWhole();
        }
        if (onlySource != NONE) {
            throw new StoreException(
                    "node %d can't tell the content of zone %x: mend its disk and start it again"
                            .formatted(onlySource, zone));
        }
        if (!hasAskedOthers) {
            isAllDamaged = true;
            throw new StoreException("no source has a whole copy of the zone");
        }
        SortedSet<Integer> missing = new TreeSet<>(sources.awaited());
        missing.addAll(silent);
        if (!missing.isEmpty()) {
            throw new StoreException(
                    "no copy of zone %x that can be read now is whole, and nodes %s may have one: start them again, or stop and remove them if they are gone for good"
                            .formatted(zone, missing));
        }
        left.addAll(rotten);
        isOnOwnDisk = false;
        Restored careful = anew(damaged.target.damagedTo());
        ownLog().replay(careful.target, threads);
        LOGGER.error(
                "DATA LOST: {} chunks that are known of zone {} may have changed where its copies are"
                        + " damaged, and nobody has a whole one; so may those that are not known",
                careful.target.lost().size(),
                Long.toHexString(zone));
        return careful;
    }

    /** Sends entries from this node's log to a source until it has everything. */
    private CompletableFuture<Void> send(int node, long from, long end) {
        if (from > end) {
            return CompletableFuture.completedFuture(null);
        }
        checkNotStopped();
        ReplicaMessage.TailPart part = onlySource == NONE ? ownTail(from) : nothing(from);
        if (part.count() == 0) {
            left.add(node); // a full copy will take its place
            return CompletableFuture.completedFuture(null);
        }
        return wire.ask(node, append(part))
                .thenComposeAsync(
                        answer -> {
                            if (answer.status() == Status.STALE) {
                                throw new StoreException("node " + node + " has a newer epoch");
                            }
                            if (answer.status() != Status.OK || answer.end() < from) {
                                left.add(node);
                                return CompletableFuture.<Void>completedFuture(null);
                            }
                            return send(node, answer.end() + 1, end);
                        },
                        executor);
    }

    private ReplicaMessage.TailPart ownTail(long from) {
        try {
            return backups.tail(new ReplicaMessage.Tail(zone, from, TAIL_BYTES));
        } catch (LogFailedException unreadable) {
            checkOfDisk(unreadable);
            return nothing(from);
        }
    }

    /** Memory, for one, is the same whoever tells the content. */
    private static void checkOfDisk(LogFailedException failure) {
        if (!failure.isOfDisk()) {
            throw failure;
        }
    }

    private CompletableFuture<Void> force(int node, long end) {
        if (left.contains(node)) {
            return CompletableFuture.completedFuture(null);
        }
        return wire.ask(node, new ReplicaMessage.Force(zone, epoch + 1, end))
                .thenAccept(answer -> {
                    if (answer.status() == Status.STALE) {
                        throw new StoreException("node " + node + " has a newer epoch");
                    }
                    if (answer.status() != Status.OK) {
                        left.add(node);
                    }
                });
    }

    private RecoveredZone recovered(long end, Restored restored) {
        if (onlySource != NONE && left.containsAll(ends.keySet())) {
            throw new StoreException("no disk would have all of the zone: this node's has not");
        }
        if (!isOnOwnDisk) {
            left.add(self); // the zone is in its memory alone: nobody is to count on its disk
        }
        return new RecoveredZone(
                new RecoveryReport(
                        zone,
                        epoch,
                        end,
                        restored.target.count(),
                        restored.target.bytes(),
                        List.copyOf(restored.target.lost()),
                        restored.target.isDamaged(),
                        List.copyOf(left)),
                restored.tags,
                aligned());
    }

    /**
     * Who may have the content whole: those who have been brought to the end first, for nobody
     * counts as a copy whose log goes on behind the content; then by the length of their streams
     * listed backups, which have all that was acknowledged, and others if they had everything up to
     * the end when they were fenced, though their disks take nothing more.
     */
    private List<Integer> copies(long end) {
        if (onlySource != NONE) {
            return List.of(onlySource);
        }
        return ends.entrySet().stream()
                .filter(source ->
                        (!sources.isLost() && others.contains(source.getKey()))
                                || !left.contains(source.getKey())
                                || source.getValue() >= end)
                .sorted(
                        Comparator.comparing((Map.Entry<Integer, Long> source) ->
                                        left.contains(source.getKey()))
                                .thenComparing(
                                        Map.Entry.<Integer, Long>comparingByValue().reversed()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The other sources that have everything up to the end. */
    private List<Integer> aligned() {
        List<Integer> aligned = new ArrayList<>(others);
        aligned.removeAll(left);
        return aligned;
    }

    private ZoneLog ownLog() {
        ZoneLog log = backups.log(zone);
        if (log == null) {
            throw new StoreException("this node has no log of zone " + Long.toHexString(zone));
        }
        return log;
    }

    private void checkNotStopped() {
        if (isStopped) {
            throw new StoreException("a newer recovery took over");
        }
    }
}
