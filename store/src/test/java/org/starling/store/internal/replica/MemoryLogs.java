package org.starling.store.internal.replica;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.log.ZoneLog;

/** Zone logs in the heap. */
final class MemoryLogs implements ZoneLogs {
    private final Map<Long, MemoryZoneLog> logs = new ConcurrentHashMap<>();
    private final Executor disk;
    private final Consumer<String> wrong;

    MemoryLogs(Executor disk, Consumer<String> wrong) {
        this.wrong = wrong;
        this.disk = disk;
    }

    @Override
    public Set<Long> zones() {
        return new HashSet<>(logs.keySet());
    }

    @Override
    public ZoneLog create(long zone, long epoch, long basePosition) {
        MemoryZoneLog log = new MemoryZoneLog(zone, epoch, basePosition, disk, wrong);
        logs.put(zone, log);
        return log;
    }

    @Override
    public @Nullable MemoryZoneLog get(long zone) {
        return logs.get(zone);
    }

    @Override
    public void delete(long zone) {
        logs.remove(zone);
    }

    @Override
    public void onFailure(Consumer<ZoneLog> gaveUp) {}
}
