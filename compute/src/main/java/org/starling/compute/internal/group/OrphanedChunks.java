package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.RecoveryMessage.AskOrphans;
import org.starling.compute.internal.protocol.RecoveryMessage.HoldOrphans;
import org.starling.compute.internal.run.LeftOvers;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.graph.JobFailedException;
import org.starling.net.Message;
import org.starling.net.RecordRequest;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Chunks that slaves had made for a build or a checkpoint when they were lost. Slaves remove what
 * they have made themselves; of what a lost one has made the others were told before any backup was
 * ({@link MadeChunks}), and they tell the master when the attempt ends. The master removes it,
 * once, when the store has given it to somebody: nobody else can have been given its ids by then.
 *
 * <p>Until then all peers keep in mind what it is ({@link HeldOrphans}), and a new master asks them
 * first. Before it removes anything all have to have heard that it is not to be kept in mind any
 * more: two masters would remove ids that may have been given to other chunks in between. So who is
 * lost just then leaves the chunks. Confined to the job's thread.
 */
final class OrphanedChunks {
    private static final Duration TELL_TIMEOUT = Duration.ofSeconds(10);

    /** So often peers are told that something is not to be kept in mind any more. */
    private static final int MAX_TELLS = 4;

    private static final Logger LOG = LogManager.getLogger(OrphanedChunks.class);

    private final StoreNode store;
    private final Group group;
    private final Recovery recovery;
    private final long job;
    private final LongSupplier numbers;
    private final Set<Range> ranges = new LinkedHashSet<>();

    /** Whether older masters' words are known here, so that peers need not keep them. */
    private boolean hasTakenOver;

    /** Whether all peers keep in mind what is here. */
    private boolean isAgreed;

    private record Range(long first, int count, int maker) {}

    /**
     * None yet.
     *
     * @param term of the master
     * @param numbers gives numbers of attempts, ascending
     */
    OrphanedChunks(
            StoreNode store, Group group, Recovery recovery, long term, LongSupplier numbers) {
        this.store = store;
        this.group = group;
        this.recovery = recovery;
        this.job = Attempt.job(term);
        this.numbers = numbers;
    }

    /**
     * Hears from all peers what older masters of the job were to remove. To be called by a new
     * master first; who has none after it need not.
     */
    void takeOver() {
        askAll(new AskOrphans(job))
                .values()
                .forEach(told -> told.ifPresent(held -> add(held.values(), Set.of())));
        hasTakenOver = true;
        isAgreed = false;
    }

    /**
     * Lets all slaves end attempts. Who answers has removed what it has made; what the answers say
     * of chunks of others is kept in mind, here and by the peers.
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
        isAgreed &= !ranges.removeIf(range -> tidy.contains(range.maker));
        answers.forEach(answer -> answer.ifPresent(told -> add(told.values(), tidy)));
        if (hasTakenOver && !(ranges.isEmpty() && isAgreed)) {
            isAgreed = tell(ranges).isEmpty();
        }
    }

    private void add(long[] told, Set<Integer> tidy) {
        for (int i = 0; i + 2 < told.length; i += 3) {
            int maker = (int) told[i + 2];
            if (!tidy.contains(maker)) {
                isAgreed &= !ranges.add(new Range(told[i], (int) told[i + 1], maker));
            }
        }
    }

    /** Removes the chunks of slaves that are lost; those that live have removed theirs. */
    void remove() {
        if (ranges.isEmpty()) {
            return;
        }
        Set<Integer> living = new HashSet<>();
        List<Range> lost = new ArrayList<>();
        for (Range range : ranges) {
            int maker = range.maker;
            if (!living.contains(maker) && group.isMember(maker)) {
                recovery.awaitVerdict(maker);
            }
            if (group.isMember(maker)) {
                living.add(maker);
            } else if (hasOwner(range)) {
                lost.add(range);
            }
        }
        if (!letForget()) {
            LOG.warn("chunks of lost peers are left to others: not all peers have heard of it");
            return;
        }
        ranges.clear();
        LeftOvers leftOvers = new LeftOvers(store.chunks(), "of work that failed");
        lost.forEach(range -> leftOvers.remove(range.first, range.count));
    }

    /** Whether all peers have heard that nothing is to be kept in mind any more. */
    private boolean letForget() {
        isAgreed = false;
        for (int tells = 0; hasTakenOver && tells < MAX_TELLS; tells++) {
            List<Integer> deaf = tell(Set.of());
            if (deaf.isEmpty()) {
                isAgreed = true;
                break;
            }
            deaf.forEach(recovery::awaitVerdict);
        }
        return isAgreed || !hasTakenOver; // then nobody has ever been told
    }

    /**
     * Tells all peers what to keep in mind.
     *
     * @return members that have not answered, or refuse it
     */
    private List<Integer> tell(Set<Range> what) {
        long[] told =
                what.stream()
                        .flatMapToLong(
                                range -> LongStream.of(range.first, range.count, range.maker))
                        .toArray();
        List<Integer> deaf = new ArrayList<>();
        askAll(new HoldOrphans(numbers.getAsLong(), told))
                .forEach((node, answer) -> {
                    if (answer.isEmpty() && group.isMember(node)) {
                        deaf.add(node);
                    }
                });
        return deaf;
    }

    private <R extends Message, Q extends Request<R>> Map<Integer, Optional<R>> askAll(Q question) {
        int[] slaves = group.slaves();
        group.use(
                store.membership().nodes().stream()
                        .filter(node -> node.role() == Role.PEER && node.computes())
                        .mapToInt(NodeInfo::id)
                        .toArray());
        try {
            int[] asked = group.slaves();
            List<Optional<R>> answers = group.allQuietly(question, TELL_TIMEOUT);
            Map<Integer, Optional<R>> byNode = new TreeMap<>();
            for (int i = 0; i < asked.length; i++) {
                byNode.put(asked[i], answers.get(i));
            }
            return byNode;
        } finally {
            group.use(slaves);
        }
    }

    private boolean hasOwner(Range range) {
        try {
            recovery.awaitOwnerToRemove("a graph that was not finished", range.first);
            return true;
        } catch (StoreException | JobFailedException e) {
            leave(range, e);
            return false;
        }
    }

    private static void leave(Range range, RuntimeException why) {
        LOG.warn(
                "{} chunks from {} on, of work that failed, could not be removed: {}",
                range.count,
                ChunkId.toString(range.first),
                why.getMessage());
    }
}
