package org.starling.store.internal.log;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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
    private static final int RADIX = 16;

    /** A zone that has a folder, its log opened or not. */
    private static final class Slot {
        /** Held while the log is made, opened or deleted, so that this happens once. */
        private final ReentrantLock lock = new ReentrantLock();

        /** Guarded by lock. */
        private @Nullable DiskZoneLog log;

        /** Whether there is a folder. Guarded by lock. */
        private boolean exists;
    }

    private final LogFiles files;
    private final LogWriter writer = new LogWriter();
    private final LogContext context;
    private final BlockPool pool;
    private final SecureRandom random = new SecureRandom();
    private final ConcurrentMap<Long, Slot> slots = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private BackupLogs(LogFiles files, LogConfig config, LongSupplier nanoClock)
            throws IOException {
        this.files = files;
        pool = new BlockPool(config.flushBytes(), config.bufferBytes());
        context = new LogContext(config, files, pool, nanoClock, writer::wake);
        for (String folder : files.folders()) {
            Slot slot = new Slot();
            slot.exists = true;
            slots.put(Long.parseUnsignedLong(folder, RADIX), slot);
        }
        writer.start(context);
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

    /**
     * The zones that have a log here.
     *
     * @return a copy
     */
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
     * Begins a log; what there is of this zone is deleted.
     *
     * @param zone its id
     * @param epoch of its owner
     * @param basePosition 0 for a new zone, or the position of the full copy that will come
     * @return the log, safe on the disk
     * @throws LogFailedException if the disk does not take it
     */
    public ZoneLog create(long zone, long epoch, long basePosition) {
        if (epoch < 0 || basePosition < 0) {
            throw new IllegalArgumentException(
                    "epoch " + epoch + " or position " + basePosition + " is negative");
        }
        Slot slot = slots.computeIfAbsent(zone, key -> new Slot());
        slot.lock.lock();
        try {
            delete(zone, slot);
            files.makeFolder(folderOf(zone));
            slot.exists = true;
            long logId = random.nextLong() | 1;
            DiskZoneLog log =
                    add(zone, slot, new LogState(context, zone, logId, basePosition, epoch));
            noteBeginning(log);
            return log;
        } catch (IOException e) {
            throw new LogFailedException(
                    "cannot begin a log of zone 0x%x in %s: %s".formatted(zone, files, e), e);
        } finally {
            slot.lock.unlock();
        }
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
     * @param zone its id
     * @return null when there is none
     * @throws LogFailedException if it cannot be read, or holds nothing that could be
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
            LogState state = new LogScan(files, folderOf(zone), zone).open(context);
            if (state == null) {
                throw new LogFailedException(
                        "zone 0x%x: no readable block in its folder in %s; delete the folder"
                                .formatted(zone, files),
                        null);
            }
            if (!state.damages().isEmpty()) {
                LOG.error("zone {} is damaged in {}: {}", folderOf(zone), files, state.damages());
            }
            return add(zone, slot, state);
        } catch (IOException e) {
            throw new LogFailedException(
                    "cannot read the log of zone 0x%x in %s: %s".formatted(zone, files, e), e);
        } finally {
            slot.lock.unlock();
        }
    }

    private DiskZoneLog add(long zone, Slot slot, LogState state) {
        if (closed) {
            state.versions.close();
            throw new LogFailedException("the logs in " + files + " are closed", null);
        }
        DiskZoneLog log = new DiskZoneLog(state, context, folderOf(zone));
        slot.log = log;
        writer.add(log, context);
        return log;
    }

    /**
     * Deletes a log; no log, no effect. Waits for those who read it.
     *
     * @param zone its id
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
        if (slot.exists) {
            files.deleteFolder(folderOf(zone));
            slot.exists = false;
        }
    }

    /**
     * Tells when a log gives up, on the logs' thread: it must not wait there.
     *
     * @param gaveUp takes the log
     */
    public void onFailure(Consumer<ZoneLog> gaveUp) {
        writer.onFailure(gaveUp);
    }

    /** Writes and forces all logs that have not failed, and lets go of everything. */
    @Override
    public void close() {
        closed = true;
        for (Slot slot : slots.values()) {
            slot.lock.lock();
            try {
                if (slot.log != null) {
                    slot.log.close();
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
    }

    private static String folderOf(long zone) {
        return "%016x".formatted(zone);
    }
}
