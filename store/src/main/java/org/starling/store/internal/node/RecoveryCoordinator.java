package org.starling.store.internal.node;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.Request;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.node.NodeMessage.RecoverZone;
import org.starling.store.internal.node.NodeMessage.Recovered;

/**
 * Gives orphaned zones new owners. An agent of the leading superpeer: each step looks at the
 * directory's orphans, all of them, and does for each what comes next; nothing is remembered that a
 * new leader could not do without. For a zone that is: choose the live backup (or returned holder)
 * with the most free memory, one that is about to leave only if there is no other, and of a zone
 * that its owner hands over the one that is prepared for it, whose epoch has begun with that; begin
 * an epoch for the recovery of any other, so that whoever was asked before can change nothing any
 * more that counts; ask it to recover the zone; when it has, wait until the dead owner's lease is
 * over; switch the zone. Every change of the zone's epoch in between starts it anew. A target that
 * fails is passed over until all have failed, and then they are tried again.
 *
 * <p>{@link #doWork} is confined to the agent; answers come in on receiving threads and are guarded
 * by this object.
 */
final class RecoveryCoordinator {
    private static final Logger LOG = LogManager.getLogger(RecoveryCoordinator.class);

    /** How a target is asked for something. */
    interface Targets {
        CompletableFuture<Recovered> ask(int node, Request<Recovered> request, Duration timeout);
    }

    /** After so long without an answer the target is asked again, which does not start it anew. */
    private static final Duration RECOVERY_TIMEOUT = Duration.ofMinutes(2);

    /**
     * After all targets have failed they are tried again after this time, twice as long each time
     * up to the longest; sooner if somebody else has come back.
     */
    private static final long PAUSE_NANOS = Duration.ofMillis(300).toNanos();

    private static final long MAX_PAUSE_NANOS = 16 * PAUSE_NANOS;

    private enum Step {
        BEGINNING,
        BEGUN,
        ASKED,
        RECOVERED,
        SWITCHING
    }

    /** Where the recovery of one zone stands, under one epoch. Guarded by the coordinator. */
    private static final class Attempt {
        final long epoch;
        final Set<Integer> failed = new HashSet<>();

        /** For whose recovery the epoch was begun, or -1; nobody else is asked under it. */
        final int begunFor;

        int target = -1;

        /** What the target has told; null before that. */
        @Nullable Recovered recovered;

        @Nullable Step step;

        /** Who was there when the last target was asked; null before that. */
        @Nullable ZoneSources sources;

        long pauseNanos = PAUSE_NANOS;
        long notBeforeNanos;

        Attempt(long epoch, int begunFor, long nowNanos) {
            this.epoch = epoch;
            this.begunFor = begunFor;
            notBeforeNanos = nowNanos;
        }
    }

    /** A backup, and the epoch since which the zone has no owner. */
    private record Prepared(long epoch, int node) {}

    private final DirectoryReplica replica;
    private final MemberWatch watch;
    private final LossBook losses;
    private final Targets targets;

    /** What a target is taken to need for a zone that it is bringing back. */
    private final long zoneBytes;

    private final LongSupplier nanoClock;

    /** Wakes the agent. */
    private final Runnable wake;

    // guarded by this
    private final Map<Long, Attempt> attempts = new HashMap<>();

    /** By zone: who is prepared for taking it over, until somebody is chosen. */
    private final Map<Long, Prepared> preferred = new HashMap<>();

    /** By zone: the epoch under which its loss has been said. Confined to the agent. */
    private final Map<Long, Long> saidLost = new HashMap<>();

    RecoveryCoordinator(
            DirectoryReplica replica,
            MemberWatch watch,
            LossBook losses,
            Targets targets,
            long zoneBytes,
            LongSupplier nanoClock,
            Runnable wake) {
        this.replica = replica;
        this.watch = watch;
        this.losses = losses;
        this.targets = targets;
        this.zoneBytes = zoneBytes;
        this.nanoClock = nanoClock;
        this.wake = wake;
    }

    /** Forgets what an earlier time as leader has left. */
    synchronized void takeOver() {
        attempts.clear();
        preferred.clear();
    }

    /**
     * An owner has handed a zone over, and one of its backups is prepared for that. The command
     * says which, so no leader asks anybody else under that epoch, and no other needs to be begun.
     *
     * @param epoch of the zone since then
     */
    synchronized void prefer(long zone, long epoch, int node) {
        preferred.put(zone, new Prepared(epoch, node));
    }

    /** One step for every orphan. */
    void doWork() {
        List<ZoneInfo> orphans = replica.read(Directory::orphans);
        synchronized (this) {
            attempts.keySet().removeIf(id -> orphans.stream().noneMatch(zone -> zone.zone() == id));
        }
        saidLost.keySet().removeIf(id -> orphans.stream().noneMatch(zone -> zone.zone() == id));
        for (ZoneInfo zone : orphans) {
            if (zone.lost() && !zone.recoverable()) {
                sayLost(zone);
            } else {
                step(zone);
            }
        }
    }

    private void sayLost(ZoneInfo zone) {
        Long said = saidLost.put(zone.zone(), zone.epoch());
        if (said != null && said == zone.epoch()) {
            return;
        }
        if (zone.damaged()) {
            LOG.error(
                    "DATA_LOST: zone {} of node {} is lost for good: no disk is left that had it",
                    Long.toHexString(zone.zone()),
                    zone.owner());
        } else if (isAtRest(zone)) {
            LOG.info(
                    "zone {} of node {} is at rest: all nodes that have it have left in order",
                    Long.toHexString(zone.zone()),
                    zone.owner());
        } else {
            LOG.error(
                    "DATA_LOST: zone {} of node {} has no live copy any more; its chunks answer as"
                            + " lost until nodes that held its backups come back with their data"
                            + " directories (returned so far: {})",
                    Long.toHexString(zone.zone()),
                    zone.owner(),
                    zone.returnedHolders());
        }
    }

    /** Whether nobody who had it was lost: with those who have left it comes back. */
    boolean isAtRest(ZoneInfo zone) {
        Set<Integer> had = new HashSet<>(replica.read(directory -> directory.holders(zone.zone())));
        had.add(zone.lastOwner());
        return watch.haveLeft(had);
    }

    private void step(ZoneInfo zone) {
        long now = nanoClock.getAsLong();
        int target;
        @Nullable Recovered recovered;
        @Nullable Step next;
        synchronized (this) {
            Attempt attempt = attempts.get(zone.zone());
            if (attempt != null
                    && (attempt.step == Step.BEGINNING || attempt.epoch > zone.epoch())) {
                return; // begun since the orphans were read, or about to be
            }
            if (attempt == null || attempt.epoch < zone.epoch()) {
                Prepared prepared = preferred.get(zone.zone());
                int begunFor =
                        prepared != null && prepared.epoch() == zone.epoch() ? prepared.node() : -1;
                attempt = new Attempt(zone.epoch(), begunFor, now);
                attempts.put(zone.zone(), attempt);
            }
            next = next(zone, attempt, now);
            if (next == null) {
                return;
            }
            attempt.step = next;
            target = attempt.target;
            recovered = attempt.recovered;
        }
        switch (next) {
            case BEGINNING -> begin(zone, target);
            case ASKED -> recover(zone, target);
            default -> switchTo(zone, target, Objects.requireNonNull(recovered));
        }
    }

    /** Under the lock: what is to be done now, or null. */
    private @Nullable Step next(ZoneInfo zone, Attempt attempt, long now) {
        if (attempt.step == Step.BEGUN) {
            return Step.ASKED;
        }
        if (attempt.step == Step.RECOVERED) {
            return now < watch.leaseEndNanos(zone.owner()) ? null : Step.SWITCHING;
        }
        if (attempt.step != null) {
            return null;
        }
        boolean isDue = now >= attempt.notBeforeNanos || !here(zone).equals(attempt.sources);
        boolean mayAsk = isDue && allHaveJoined(sources(zone));
        attempt.target = mayAsk ? choose(zone, attempt) : -1;
        if (attempt.target < 0) {
            return null;
        }
        return attempt.target == attempt.begunFor ? Step.ASKED : Step.BEGINNING;
    }

    /**
     * Whoever comes back with a copy registers first and can be asked a little later. A recovery
     * needs all who have one, so it would only fail and use up an epoch before.
     */
    private boolean allHaveJoined(List<Integer> nodes) {
        return nodes.stream().allMatch(watch::isShown);
    }

    /**
     * Under the lock: of the candidates that have not failed, and that stay if any does, the one
     * with the most free memory, the first of equals; or −1.
     */
    private int choose(ZoneInfo zone, Attempt attempt) {
        Prepared prepared = preferred.remove(zone.zone());
        List<Integer> staying = staying(sources(zone), attempt.failed);
        if (prepared != null && zone.isYielded() && staying.contains(prepared.node())) {
            return prepared.node();
        }
        int best = -1;
        long most = 0;
        for (int node : staying) {
            long free = attempt.failed.contains(node) ? Long.MIN_VALUE : expectedFree(node);
            if (free != Long.MIN_VALUE && (best < 0 || free > most)) {
                best = node;
                most = free;
            }
        }
        if (best < 0) {
            attempt.failed.clear();
            attempt.notBeforeNanos = nanoClock.getAsLong() + attempt.pauseNanos;
            attempt.pauseNanos = Math.min(2 * attempt.pauseNanos, MAX_PAUSE_NANOS);
        }
        return best;
    }

    /** Of some nodes those that are not about to leave; all if there are none that can be asked. */
    private List<Integer> staying(List<Integer> nodes, Set<Integer> failed) {
        List<Integer> staying =
                replica.read(directory ->
                        nodes.stream().filter(node -> !directory.isLeaving(node)).toList());
        return failed.containsAll(staying) ? nodes : staying;
    }

    /**
     * Under the lock: what a node will have left when it has brought back what it was asked for. A
     * zone counts whole, and until it is switched, even if the node's own figure has it already: so
     * zones of one loss go to several nodes.
     */
    private long expectedFree(int node) {
        long asked =
                attempts.values().stream()
                        .filter(each -> each.step != null && each.target == node)
                        .count();
        return watch.freeBytes(node) - asked * zoneBytes;
    }

    /** Those who can bring the zone back. Listed backups are alive. */
    private static List<Integer> sources(ZoneInfo zone) {
        return zone.lost() ? zone.returnedHolders() : zone.backups();
    }

    /** Who may have a copy of the zone now. */
    private ZoneSources here(ZoneInfo zone) {
        return replica.read(state -> state.sources(zone.zone()));
    }

    private synchronized void note(ZoneInfo zone, ZoneSources asked) {
        Attempt attempt = attempts.get(zone.zone());
        if (attempt != null && attempt.epoch == zone.epoch() && !asked.equals(attempt.sources)) {
            attempt.sources = asked;
            attempt.pauseNanos = PAUSE_NANOS;
        }
    }

    private void begin(ZoneInfo zone, int target) {
        var _ =
                replica.apply(new Command.BeginRecovery(zone.zone(), zone.epoch()))
                        .whenComplete((result, failure) -> {
                            begun(zone, target, result);
                            wake.run();
                        });
    }

    /** Without an answer the next step begins another epoch, should this one have begun. */
    private synchronized void begun(ZoneInfo zone, int target, @Nullable Result result) {
        Attempt before = attempts.get(zone.zone());
        if (before == null || before.epoch != zone.epoch() || before.step != Step.BEGINNING) {
            return;
        }
        before.step = null;
        if (result instanceof Result.Zone now && now.changed()) {
            Attempt attempt = new Attempt(now.info().epoch(), target, before.notBeforeNanos);
            attempt.failed.addAll(before.failed);
            attempt.sources = before.sources;
            attempt.pauseNanos = before.pauseNanos;
            attempt.target = target;
            attempt.step = Step.BEGUN;
            attempts.put(zone.zone(), attempt);
        }
    }

    private void recover(ZoneInfo zone, int target) {
        LOG.info(
                "zone {} of node {} is being recovered by node {} (epoch {})",
                Long.toHexString(zone.zone()),
                zone.owner(),
                target,
                zone.epoch());
        RecoverZone request = new RecoverZone(zone.zone(), zone.epoch(), here(zone));
        note(zone, request.sources());
        CompletableFuture<Recovered> answer;
        try {
            answer = targets.ask(target, request, RECOVERY_TIMEOUT);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        var _ =
                answer.whenComplete((recovered, failure) -> {
                    String reason =
                            failure != null
                                    ? String.valueOf(failure.getMessage())
                                    : recovered.failure();
                    if (reason.isEmpty()) {
                        LOG.info(
                                "zone {} is back at node {}: {} chunks, {} bytes, {} lost",
                                Long.toHexString(zone.zone()),
                                target,
                                recovered.chunks(),
                                recovered.bytes(),
                                recovered.lost());
                    } else {
                        LOG.warn(
                                "node {} could not recover zone {}: {}",
                                target,
                                Long.toHexString(zone.zone()),
                                reason);
                    }
                    ended(
                            zone,
                            target,
                            Step.ASKED,
                            reason.isEmpty() ? Step.RECOVERED : null,
                            reason.isEmpty() ? recovered : null);
                });
    }

    private void switchTo(ZoneInfo zone, int target, Recovered recovered) {
        losses.brought(zone.zone(), recovered.chunks(), recovered.bytes());
        Command.SwitchZone command =
                new Command.SwitchZone(
                        zone.zone(), zone.epoch(), target, recovered.left(), recovered.damaged());
        var _ =
                replica.apply(command)
                        .whenComplete((result, failure) -> {
                            LOG.info(
                                    "zone {}: node {} as new owner: {}",
                                    Long.toHexString(zone.zone()),
                                    target,
                                    failure == null ? result : failure.getMessage());
                            // Whatever came of it is in the directory; a recovered zone stays
                            // recovered.
                            ended(zone, target, Step.SWITCHING, Step.RECOVERED, recovered);
                        });
    }

    private void ended(
            ZoneInfo zone,
            int target,
            Step from,
            @Nullable Step to,
            @Nullable Recovered recovered) {
        synchronized (this) {
            Attempt attempt = attempts.get(zone.zone());
            if (attempt == null || attempt.epoch != zone.epoch() || attempt.step != from) {
                return;
            }
            attempt.step = to;
            attempt.recovered = recovered;
            if (to == null) {
                attempt.failed.add(target);
            }
        }
        if (to == null && zone.isYielded()) { // its owner has it still
            var _ =
                    replica.apply(new Command.GiveBackZone(zone.zone(), zone.epoch()))
                            .whenComplete((result, failure) -> wake.run());
        }
        wake.run();
    }
}
