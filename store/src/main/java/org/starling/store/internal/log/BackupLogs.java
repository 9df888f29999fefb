package org.starling.store.internal.log;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * All zone logs of one backup peer under one data directory, one folder {@code zones/<hex zone>}
 * for each. Owned by the peer's node; thread-safe. Brings one thread, which writes, forces and
 * cleans, and at most {@link LogConfig#bufferBytes} of native memory for what waits, besides 16
 * bytes for each chunk. No other process may use the directory meanwhile.
 */
public final class BackupLogs implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(BackupLogs.class);
    private static final String FOLDER = "zones";
    private static final String COPY_SUFFIX = ".copy";
    private static final int RADIX = 16;
    private static final Pattern ZONE_FOLDER = Pattern.compile("[0-9a-f]{16}");

    /** A zone that has a folder, its log opened or not. */
    private static final class Slot {
        /** Held while the log is made, opened or deleted, so that this happens once. */
        private final ReentrantLock lock = new ReentrantLock();

        /** Guarded by lock. */
        private @Nullable DiskZoneLog log;

        /** Whether there is a folder. Guarded by lock. */
        private boolean exists;

        /** That nothing in the folder is a log, once that is known. Guarded by lock. */
        private @Nullable LogFailedException unreadable;

        /** Of a full copy that is under way, in a folder of its own. Guarded by lock. */
        private @Nullable DiskZoneLog copy;
    }

    private final DiskWatch files;
    private final LogWriter writer = new LogWriter();
    private final LogContext context;
    private final BlockPool pool;
    private final SecureRandom random = new SecureRandom();
    private final ConcurrentMap<Long, Slot> slots = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Held while somebody is told whether the disk hangs, so that what is told last is true. */
    private final ReentrantLock news = new ReentrantLock();

    /** Told whether the disk hangs. Guarded by news. */
    private Consumer<Boolean> onHang = hangs -> {};

    private BackupLogs(LogFiles disk, LogConfig config, LongSupplier nanoClock) throws IOException {
        files = new DiskWatch(disk, config.diskPatience(), this::hangs);
        pool = new BlockPool(config.flushBytes(), config.bufferBytes());
        context = new LogContext(config, files, pool, nanoClock, writer::wake);
        files.start();
        try {
            find();
        } catch (IOException e) {
            files.close();
            throw e;
        }
        writer.start(context);
    }

    private void find() throws IOException {
        for (String folder : files.folders()) {
            if (folder.endsWith(COPY_SUFFIX)) {
                files.deleteFolder(folder); // it was not whole, or it would be in its zone's place
            } else if (ZONE_FOLDER.matcher(folder).matches()) {
                Slot slot = new Slot();
                slot.exists = true;
                slots.put(Long.parseUnsignedLong(folder, RADIX), slot);
            } else {
                LOG.warn("{}: folder {} is not one of a zone, and is left alone", files, folder);
            }
        }
    }

    /**
     * Opens what a directory holds, or makes it.
     *
     * @param directory the peer's data directory
     * @param config sizes and times
     * @return the logs; zones found are closed until asked for
     * @throws LogFailedException if the directory cannot be used
     */
    public static BackupLogs open(Path directory, LogConfig config) {
        try {
            return open(new DiskFiles(directory.resolve(FOLDER), config.direct()), config);
        } catch (IOException e) {
            throw new LogFailedException("cannot use %s for logs: %s".formatted(directory, e), e);
        }
    }

    /** The same over any file system. */
    static BackupLogs open(LogFiles files, LogConfig config) throws IOException {
        return new BackupLogs(files, config, System::nanoTime);
    }

    /** The zones that have a log here. */
    public Set<Long> zones() {
        Set<Long> zones = new TreeSet<>();
        slots.forEach((zone, slot) -> {
            slot.lock.lock();
            try {
                if (slot.exists) {
                    zones.add(zone);
                }
            } finally {
                slot.lock.unlock();
            }
        });
        return zones;
    }

    /**
     * Begins the log of a new zone; what there is of this zone is deleted.
     *
     * @return the log, safe on the disk
     * @throws LogFailedException if the disk does not take it
     */
    public ZoneLog create(long zone, long epoch) {
        Slot slot = lockedSlot(zone);
        try {
            delete(zone, slot);
            slot.exists = true;
            slot.log = begin(zone, folderOf(zone), epoch, 0);
            noteBeginning(slot.log);
            return slot.log;
        } catch (IOException e) {
            throw cannotBegin(zone, e);
        } finally {
            slot.lock.unlock();
        }
    }

    /**
     * Begins a log that a full copy comes into, beside the log that there is: that one is a good
     * copy of an earlier time, and stays one until this one is whole. A copy that was under way is
     * given up, and a restart of the peer gives this one up.
     *
     * @param zone its id
     * @param epoch of its owner
     * @param basePosition the position of the copy
     * @return the log, to be taken into use by {@link #adoptCopy}
     * @throws LogFailedException if the disk does not take it
     */
    public ZoneLog createCopy(long zone, long epoch, long basePosition) {
        Slot slot = lockedSlot(zone);
        try {
            dropCopy(zone, slot);
            slot.copy = begin(zone, copyFolderOf(zone), epoch, basePosition);
            noteBeginning(slot.copy);
            return slot.copy;
        } catch (IOException e) {
            throw cannotBegin(zone, e);
        } finally {
            slot.lock.unlock();
        }
    }

    /**
     * A full copy is whole: makes it safe and puts it in the place of the log that there was. Waits
     * for the disk, and reads the copy once more.
     *
     * @throws LogFailedException if the disk has not taken the copy, or there is none; what there
     *     was before is there still
     */
    public ZoneLog adoptCopy(long zone) {
        Slot slot = lockedSlot(zone);
        try {
            DiskZoneLog copy = slot.copy;
            if (copy == null) {
                throw new LogFailedException(
                        "no copy of zone 0x%x is under way".formatted(zone), null);
            }
            copy.await(copy.force(copy.end()), "keep a copy");
            noteWholeCopy(copy);
            copy.close();
            if (slot.log != null) {
                slot.log.close(LogState.Closing.DROP);
                slot.log = null;
            }
            files.replaceFolder(folderOf(zone), copyFolderOf(zone));
            slot.copy = null;
            slot.exists = true;
            slot.unreadable = null;
        } catch (IOException e) {
            throw new LogFailedException(
                    "cannot take the copy of zone 0x%x into use in %s: %s"
                            .formatted(zone, files, e),
                    e);
        } finally {
            slot.lock.unlock();
        }
        return Objects.requireNonNull(get(zone), "a log that has just been put there");
    }

    /**
     * Gives the copy up that is under way; no copy, no effect.
     *
     * @throws LogFailedException if the disk refuses
     */
    public void dropCopy(long zone) {
        Slot slot = slots.get(zone);
        if (slot == null) {
            return;
        }
        slot.lock.lock();
        try {
            dropCopy(zone, slot);
        } catch (IOException e) {
            throw new LogFailedException(
                    "cannot delete the copy of zone 0x%x in %s: %s".formatted(zone, files, e), e);
        } finally {
            slot.lock.unlock();
        }
    }

    private void dropCopy(long zone, Slot slot) throws IOException {
        DiskZoneLog copy = slot.copy;
        if (copy != null) {
            slot.copy = null;
            copy.close(LogState.Closing.DROP);
            files.deleteFolder(copyFolderOf(zone));
        }
    }

    private DiskZoneLog begin(long zone, String folder, long epoch, long basePosition)
            throws IOException {
        if (epoch < 0 || basePosition < 0) {
            throw new IllegalArgumentException(
                    "epoch " + epoch + " or position " + basePosition + " is negative");
        }
        files.deleteFolder(folder); // left by an attempt that the disk refused
        files.makeFolder(folder);
        long logId = random.nextLong() | 1;
        return add(folder, new LogState(context, zone, logId, basePosition, epoch));
    }

    private LogFailedException cannotBegin(long zone, IOException cause) {
        return new LogFailedException(
                "cannot begin a log of zone 0x%x in %s: %s".formatted(zone, files, cause), cause);
    }

    private void noteWholeCopy(DiskZoneLog copy) {
        copy.state().lock.lock();
        try {
            copy.state().copyIsWhole();
        } finally {
            copy.state().lock.unlock();
        }
        noteBeginning(copy);
    }

    private void noteBeginning(DiskZoneLog log) {
        CompletableFuture<Long> safe;
        log.state().lock.lock();
        try {
            safe = log.noteState();
        } finally {
            log.state().lock.unlock();
        }
        log.await(safe, "begin");
    }

    /**
     * The log of a zone, opened now if it was found; opening reads all of it.
     *
     * @return null when there is none
     * @throws LogFailedException if the disk cannot read it now, or it holds nothing that could be;
     *     asked again it says the latter without another look
     */
    public @Nullable ZoneLog get(long zone) {
        Slot slot = slots.get(zone);
        if (slot == null) {
            return null;
        }
        slot.lock.lock();
        try {
            if (slot.log != null || !slot.exists) {
                return slot.log;
            }
            if (slot.unreadable != null) {
                throw slot.unreadable;
            }
            slot.log = add(folderOf(zone), read(zone, slot));
            return slot.log;
        } finally {
            slot.lock.unlock();
        }
    }

    private LogState read(long zone, Slot slot) {
        LogState state;
        try {
            state = new LogScan(files, folderOf(zone), zone).open(context);
        } catch (IOException e) {
            String text = "cannot read the log of zone 0x%x in %s: %s".formatted(zone, files, e);
            throw new LogFailedException(text, e);
        }
        if (state == null) {
            slot.unreadable =
                    new LogFailedException(
                            "zone 0x%x: no readable block in its folder in %s"
                                    .formatted(zone, files),
                            null);
            throw slot.unreadable;
        }
        if (!state.damages().isEmpty()) {
            LOG.error("zone {} is damaged in {}: {}", folderOf(zone), files, state.damages());
        }
        return state;
    }

    private DiskZoneLog add(String folder, LogState state) {
        if (closed) {
            state.versions.close();
            throw new LogFailedException("the logs in " + files + " are closed", null);
        }
        DiskZoneLog log = new DiskZoneLog(state, context, folder);
        writer.add(log, context);
        return log;
    }

    /**
     * Deletes a log; no log, no effect. Waits for those who read it.
     *
     * @throws LogFailedException if the disk refuses
     */
    public void delete(long zone) {
        Slot slot = slots.get(zone);
        if (slot == null) {
            return;
        }
        slot.lock.lock();
        try {
            delete(zone, slot);
            slots.remove(zone, slot);
        } catch (IOException e) {
            throw new LogFailedException(
                    "cannot delete the log of zone 0x%x in %s: %s".formatted(zone, files, e), e);
        } finally {
            slot.lock.unlock();
        }
    }

    private void delete(long zone, Slot slot) throws IOException {
        DiskZoneLog log = slot.log;
        if (log != null) {
            log.close(LogState.Closing.DROP);
            slot.log = null;
        }
        dropCopy(zone, slot);
        if (slot.exists) {
            files.deleteFolder(folderOf(zone));
            slot.exists = false;
            slot.unreadable = null;
        }
    }

    /** What they have done since they were opened; never waits. */
    public LogFigures figures() {
        return writer.figures(files);
    }

    /** Tells when a log gives up, on the logs' thread: it must not wait there. */
    public void onFailure(Consumer<ZoneLog> gaveUp) {
        writer.onFailure(gaveUp);
    }

    /**
     * Tells when the disk hangs, after which no log of now is written again, and when it answers
     * again and takes new ones. Tells at once if it hangs already.
     *
     * @param listener takes whether it hangs; must not wait
     */
    public void onHang(Consumer<Boolean> listener) {
        news.lock();
        try {
            onHang = listener;
            if (files.hang() != null) {
                listener.accept(true);
            }
        } finally {
            news.unlock();
        }
    }

    private void hangs(@Nullable IOException why) {
        if (why != null) {
            writer.failAll(why);
        }
        news.lock();
        try {
            onHang.accept(why != null);
        } finally {
            news.unlock();
        }
    }

    /** What looks after the disk, to be stepped by hand in tests. */
    DiskWatch watch() {
        return files;
    }

    /** The memory of blocks, to be counted in tests. */
    BlockPool pool() {
        return pool;
    }

    /** Writes and forces all logs that have not failed, and lets go of everything. */
    @Override
    public void close() {
        close(LogState.Closing.FLUSH);
    }

    /** Lets go of everything, as a process does that is killed: what is in no file yet is gone. */
    public void drop() {
        close(LogState.Closing.DROP);
    }

    private void close(LogState.Closing how) {
        closed = true;
        for (Slot slot : slots.values()) {
            slot.lock.lock();
            try {
                if (slot.copy != null) {
                    slot.copy.close(LogState.Closing.DROP);
                    slot.copy = null;
                }
                if (slot.log != null) {
                    slot.log.close(how);
                    slot.log = null;
                }
            } catch (LogFailedException e) {
                // The others are closed all the same; what this one has not forced was never told
                // to be safe.
                LOG.error("a log was not closed: {}", e.getMessage());
            } finally {
                slot.lock.unlock();
            }
        }
        writer.close();
        pool.close();
        files.close();
    }

    /** The slot of a zone, its lock held. */
    @SuppressWarnings("LockNotBeforeTry") // the caller releases it
    private Slot lockedSlot(long zone) {
        while (true) {
            Slot slot = slots.computeIfAbsent(zone, key -> new Slot());
            slot.lock.lock();
            if (slots.get(zone) == slot) {
                return slot;
            }
            slot.lock.unlock(); // its log was deleted meanwhile
        }
    }

    private static String folderOf(long zone) {
        return "%016x".formatted(zone);
    }

    private static String copyFolderOf(long zone) {
        return folderOf(zone) + COPY_SUFFIX;
    }
}
