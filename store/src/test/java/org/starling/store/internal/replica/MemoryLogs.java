package org.starling.store.internal.replica;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.log.HungDiskException;
import org.starling.store.internal.log.LogFailedException;
import org.starling.store.internal.log.MalformedEntryException;
import org.starling.store.internal.log.ZoneLog;

/** Zone logs in the heap. */
final class MemoryLogs implements ZoneLogs {
    private final Map<Long, MemoryZoneLog> logs = new ConcurrentHashMap<>();
    private final Map<Long, MemoryZoneLog> copies = new ConcurrentHashMap<>();
    private final Set<Long> copying = ConcurrentHashMap.newKeySet();
    private final Executor disk;
    private final Consumer<String> wrong;
    private final boolean copiesOverTheLog;
    private volatile boolean isHung;
    private @Nullable IOException readFailure;
    private long refused;
    private int refusals;
    private Consumer<ZoneLog> failed = log -> {};

    MemoryLogs(Executor disk, Consumer<String> wrong) {
        this(disk, wrong, false);
    }

    /** {@code copiesOverTheLog}: as if there were one place for the log and its copy. */
    MemoryLogs(Executor disk, Consumer<String> wrong, boolean copiesOverTheLog) {
        this.wrong = wrong;
        this.disk =
                task -> {
                    if (!isHung) {
                        disk.execute(task);
                    }
                };
        this.copiesOverTheLog = copiesOverTheLog;
    }

    /** What is on the disk, for a node that takes it over after a crash. */
    MemoryLogs afterCrash(Executor newDisk) {
        MemoryLogs found = new MemoryLogs(newDisk, wrong, copiesOverTheLog);
        logs.forEach((zone, log) -> found.logs.put(zone, log.afterCrash(newDisk)));
        return found;
    }

    /** Forces do not return any more. */
    void hang() {
        isHung = true;
    }

    /** The disk answers again; what has failed meanwhile has failed for good. */
    void answerAgain() {
        isHung = false;
    }

    /** Logs cannot be opened, for as long as the disk hangs. */
    void hangReads(boolean hang) {
        readFailure = hang ? new HungDiskException("the disk hangs") : null;
    }

    /** Logs cannot be opened, for as long as the disk refuses it. */
    void refuseReads() {
        readFailure = new IOException("too many open files");
    }

    /** Copies of a zone are not taken, for what is in them. */
    void refuseCopies(long zone) {
        refused = zone;
    }

    /** How many were not. */
    int refusals() {
        return refusals;
    }

    boolean isHung() {
        return isHung;
    }

    /** The hang has been noticed. */
    void giveUp() {
        logs.values().forEach(MemoryZoneLog::fail);
        logs.values().forEach(failed);
        copies.values().forEach(MemoryZoneLog::fail);
    }

    private void checkDisk() {
        if (isHung) {
            throw new LogFailedException("the disk hangs", new IOException("no answer"));
        }
    }

    @Override
    public Set<Long> zones() {
        return new HashSet<>(logs.keySet());
    }

    @Override
    public ZoneLog create(long zone, long epoch) {
        checkDisk();
        MemoryZoneLog log = new MemoryZoneLog(zone, epoch, 0, disk, wrong);
        logs.put(zone, log);
        return log;
    }

    @Override
    public ZoneLog createCopy(long zone, long epoch, long basePosition) {
        checkDisk();
        if (zone == refused) {
            refusals++;
            throw new MalformedEntryException("refused");
        }
        MemoryZoneLog copy = new MemoryZoneLog(zone, epoch, basePosition, disk, wrong);
        copying.add(zone);
        (copiesOverTheLog ? logs : copies).put(zone, copy);
        return copy;
    }

    @Override
    public ZoneLog adoptCopy(long zone) {
        copying.remove(zone);
        checkDisk();
        MemoryZoneLog copy = copiesOverTheLog ? logs.get(zone) : copies.remove(zone);
        Objects.requireNonNull(copy);
        copy.forceNow();
        logs.put(zone, copy);
        return copy;
    }

    @Override
    public void dropCopy(long zone) {
        copying.remove(zone);
        copies.remove(zone);
    }

    /** Whether a copy has begun and is not whole yet. */
    boolean isCopying() {
        return !copying.isEmpty();
    }

    @Override
    public @Nullable MemoryZoneLog get(long zone) {
        if (readFailure != null) {
            throw new LogFailedException("cannot be read", readFailure);
        }
        return logs.get(zone);
    }

    @Override
    public void delete(long zone) {
        copying.remove(zone);
        logs.remove(zone);
    }

    @Override
    public void onFailure(Consumer<ZoneLog> gaveUp) {
        failed = gaveUp;
    }

    @Override
    public String toString() {
        return logs.values().toString();
    }
}
