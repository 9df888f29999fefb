package org.starling.store.internal.log;

import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All zone logs of one backup peer under one data directory. */
public final class BackupLogs implements AutoCloseable {
    private BackupLogs() {}

    /**
     * Opens what a directory holds, or makes it.
     *
     * @param directory the peer's data directory
     * @param config sizes and times
     * @return the logs; zones found are closed until asked for
     */
    public static BackupLogs open(Path directory, LogConfig config) {
        throw new UnsupportedOperationException("not yet: " + directory + config);
    }

    /**
     * The zones that have a log here.
     *
     * @return a copy
     */
    public Set<Long> zones() {
        throw new UnsupportedOperationException("not yet");
    }

    /**
     * Begins a log; what there is of this zone is deleted.
     *
     * @param zone its id
     * @param epoch of its owner
     * @param basePosition 0 for a new zone, or the position of the full copy that will come
     * @return the log, on the disk
     */
    public ZoneLog create(long zone, long epoch, long basePosition) {
        throw new UnsupportedOperationException("not yet: " + zone + epoch + basePosition);
    }

    /**
     * The log of a zone, opened now if it was found.
     *
     * @param zone its id
     * @return null when there is none
     */
    public @Nullable ZoneLog get(long zone) {
        throw new UnsupportedOperationException("not yet: " + zone);
    }

    /**
     * Deletes a log; no log, no effect.
     *
     * @param zone its id
     */
    public void delete(long zone) {
        throw new UnsupportedOperationException("not yet: " + zone);
    }

    /**
     * Tells when a log gives up, on the logs' thread.
     *
     * @param gaveUp takes the log
     */
    public void onFailure(Consumer<ZoneLog> gaveUp) {
        throw new UnsupportedOperationException("not yet: " + gaveUp);
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("not yet");
    }
}
