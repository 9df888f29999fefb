package org.starling.compute.internal.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.starling.compute.internal.graph.PageMap;
import org.starling.net.NativeMemory;

/**
 * Native memory full of zeros, kept between runs so that a run does not begin with page faults.
 *
 * <p>Owned by a slave, guarded by its own lock. Keeps at most {@value #MAX_KEPT_BYTES} bytes; what
 * comes back beyond that is released. Regions come back dirty and are cleared here, outside of
 * anything timed; pages that nobody has written stay untaken.
 */
public final class ZeroedMemory implements AutoCloseable {
    private static final long MAX_KEPT_BYTES = 256L << 20;

    private final Map<Long, Deque<Region>> kept = new HashMap<>();
    private long keptBytes;
    private long takenBytes;

    private record Region(long address, long takenBytes) {}

    /** A region of zeros. */
    public synchronized long take(long bytes) {
        Deque<Region> fitting = kept.get(bytes);
        if (fitting != null && !fitting.isEmpty()) {
            keptBytes -= bytes;
            Region region = fitting.pop();
            takenBytes -= region.takenBytes;
            return region.address;
        }
        return NativeMemory.reserve(bytes);
    }

    /** Takes a region back. */
    public void giveBack(long address, long bytes) {
        boolean keep;
        synchronized (this) {
            keep = keptBytes + bytes <= MAX_KEPT_BYTES;
            keptBytes += keep ? bytes : 0;
        }
        if (!keep) {
            NativeMemory.release(address, bytes);
            return;
        }
        Region region = new Region(address, PageMap.clear(address, bytes));
        synchronized (this) {
            takenBytes += region.takenBytes;
            kept.computeIfAbsent(bytes, _ -> new ArrayDeque<>()).push(region);
        }
    }

    /** Memory behind the regions that nobody uses now. */
    public synchronized long takenBytes() {
        return takenBytes;
    }

    @Override
    public synchronized void close() {
        kept.forEach((bytes, regions) ->
                regions.forEach(region -> NativeMemory.release(region.address, bytes)));
        kept.clear();
        keptBytes = 0;
        takenBytes = 0;
    }
}
