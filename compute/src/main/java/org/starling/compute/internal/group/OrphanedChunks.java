package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Chunks that slaves had made in a build when they were lost. Slaves remove what they have made
 * themselves; of what a lost one has made the others have been told, and they tell the master when
 * the build ends. The master removes it, once, when the store has given it to somebody: nobody else
 * can have been given its ids by then. Confined to the job's thread.
 */
final class OrphanedChunks {
    private static final Logger LOG = LogManager.getLogger(OrphanedChunks.class);

    private final StoreNode store;
    private final Group group;
    private final Recovery recovery;
    private final List<Range> ranges = new ArrayList<>();

    private record Range(long first, int count) {}

    OrphanedChunks(StoreNode store, Group group, Recovery recovery) {
        this.store = store;
        this.group = group;
        this.recovery = recovery;
    }

    /** Takes what a slave says of the others' chunks: first chunk and number, again and again. */
    void add(Numbers told) {
        long[] numbers = told.values();
        for (int i = 0; i + 1 < numbers.length; i += 2) {
            Range range = new Range(numbers[i], (int) numbers[i + 1]);
            if (!ranges.contains(range)) {
                ranges.add(range);
            }
        }
    }

    /** Removes the chunks of slaves that are lost; those that live have removed theirs. */
    void remove() {
        for (Range range : List.copyOf(ranges)) {
            int creator = ChunkId.creator(range.first);
            if (group.isMember(creator)) {
                recovery.awaitVerdict(creator);
            }
            if (!group.isMember(creator)) {
                removeRange(range);
            }
            ranges.remove(range);
        }
    }

    private void removeRange(Range range) {
        try {
            recovery.awaitOwner("that was not finished", range.first);
            store.chunks().removeRange(range.first, range.count);
        } catch (StoreException | JobFailedException e) {
            LOG.warn(
                    "{} chunks from {} on, of a build that failed, could not be removed: {}",
                    range.count,
                    ChunkId.toString(range.first),
                    e.getMessage());
        }
    }
}
