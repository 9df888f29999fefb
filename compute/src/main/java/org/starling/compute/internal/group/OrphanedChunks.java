package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.graph.JobFailedException;
import org.starling.net.RecordRequest;
import org.starling.store.ChunkId;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Chunks that slaves had made for a build or a checkpoint when they were lost. Slaves remove what
 * they have made themselves; of what a lost one has made the others were told before any backup was
 * ({@link MadeChunks}), and they tell the master when the attempt ends. The master removes it,
 * once, when the store has given it to somebody: nobody else can have been given its ids by then.
 * Confined to the job's thread.
 */
final class OrphanedChunks {
    private static final Logger LOG = LogManager.getLogger(OrphanedChunks.class);

    private final StoreNode store;
    private final Group group;
    private final Recovery recovery;
    private final Set<Range> ranges = new LinkedHashSet<>();

    private record Range(long first, int count, int maker) {}

    OrphanedChunks(StoreNode store, Group group, Recovery recovery) {
        this.store = store;
        this.group = group;
        this.recovery = recovery;
    }

    /**
     * Lets all slaves end attempts. Who answers has removed what it has made; what the answers say
     * of chunks of others is kept in mind.
     *
     * @param command answered by first chunk and number of each range that others have made, and
     *     who
     * @param stuck sentences are added of work that does not stop
     */
    <Q extends RecordRequest<Numbers>> void ask(Q command, Duration timeout, List<String> stuck) {
        int[] slaves = group.slaves();
        List<Optional<Numbers>> answers = group.allQuietly(command, timeout, stuck);
        Set<Integer> tidy = new HashSet<>();
        for (int i = 0; i < slaves.length; i++) {
            if (answers.get(i).isPresent()) {
                tidy.add(slaves[i]);
            }
        }
        answers.forEach(answer -> answer.ifPresent(told -> add(told.values(), tidy)));
    }

    private void add(long[] told, Set<Integer> tidy) {
        for (int i = 0; i + 2 < told.length; i += 3) {
            int maker = (int) told[i + 2];
            if (!tidy.contains(maker)) {
                ranges.add(new Range(told[i], (int) told[i + 1], maker));
            }
        }
    }

    /** Removes the chunks of slaves that are lost; those that live have removed theirs. */
    void remove() {
        Set<Integer> living = new HashSet<>();
        for (Range range : List.copyOf(ranges)) {
            int maker = range.maker;
            if (!living.contains(maker) && group.isMember(maker)) {
                recovery.awaitVerdict(maker);
            }
            if (group.isMember(maker)) {
                living.add(maker);
            } else {
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
                    "{} chunks from {} on, of work that failed, could not be removed: {}",
                    range.count,
                    ChunkId.toString(range.first),
                    e.getMessage());
        }
    }
}
