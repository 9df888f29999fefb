package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starling.store.ChunkService;

/**
 * Chunks of checkpoints on one slave, by the number of the checkpoint, from their creation until
 * nobody needs them: so each is removed once, and never under an id that has been given to another
 * one. Guarded by its own lock, which is not held while chunks are removed.
 */
final class CheckpointChunks {
    private final ChunkService chunks;
    private final Map<Long, List<Range>> ranges = new HashMap<>();

    private record Range(long first, int count) {}

    CheckpointChunks(ChunkService chunks) {
        this.chunks = chunks;
    }

    /** Takes charge of chunks; those that are known already are passed over. */
    synchronized void add(long checkpoint, long first, int count) {
        List<Range> mine = ranges.computeIfAbsent(checkpoint, _ -> new ArrayList<>());
        Range range = new Range(first, count);
        if (!mine.contains(range)) {
            mine.add(range);
        }
    }

    /** Removes the chunks of all checkpoints but these, as far as they are this node's. */
    void keep(long[] checkpoints) {
        for (Range range : take(checkpoints)) {
            if (chunks.isLocal(range.first)) {
                chunks.removeRange(range.first, range.count);
            }
        }
    }

    /** Number of chunks. */
    synchronized int size() {
        return ranges.values().stream().flatMap(List::stream).mapToInt(Range::count).sum();
    }

    private synchronized List<Range> take(long[] checkpoints) {
        Set<Long> kept = new HashSet<>();
        for (long checkpoint : checkpoints) {
            kept.add(checkpoint);
        }
        List<Range> taken = new ArrayList<>();
        Iterator<Map.Entry<Long, List<Range>>> entries = ranges.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Long, List<Range>> entry = entries.next();
            if (!kept.contains(entry.getKey())) {
                taken.addAll(entry.getValue());
                entries.remove();
            }
        }
        return taken;
    }
}
