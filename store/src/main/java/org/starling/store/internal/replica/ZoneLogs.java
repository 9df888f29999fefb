package org.starling.store.internal.replica;

import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.log.BackupLogs;
import org.starling.store.internal.log.ZoneLog;

/** Where a backup keeps its logs; see {@link BackupLogs}, which it is but for tests. */
interface ZoneLogs {
    Set<Long> zones();

    ZoneLog create(long zone, long epoch);

    ZoneLog createCopy(long zone, long epoch, long basePosition);

    ZoneLog adoptCopy(long zone);

    void dropCopy(long zone);

    @Nullable ZoneLog get(long zone);

    void delete(long zone);

    void onFailure(Consumer<ZoneLog> gaveUp);

    /** Those on a disk. */
    static ZoneLogs on(BackupLogs logs) {
        return new ZoneLogs() {
            @Override
            public Set<Long> zones() {
                return logs.zones();
            }

            @Override
            public ZoneLog create(long zone, long epoch) {
                return logs.create(zone, epoch);
            }

            @Override
            public ZoneLog createCopy(long zone, long epoch, long basePosition) {
                return logs.createCopy(zone, epoch, basePosition);
            }

            @Override
            public ZoneLog adoptCopy(long zone) {
                return logs.adoptCopy(zone);
            }

            @Override
            public void dropCopy(long zone) {
                logs.dropCopy(zone);
            }

            @Override
            public @Nullable ZoneLog get(long zone) {
                return logs.get(zone);
            }

            @Override
            public void delete(long zone) {
                logs.delete(zone);
            }

            @Override
            public void onFailure(Consumer<ZoneLog> gaveUp) {
                logs.onFailure(gaveUp);
            }
        };
    }
}
