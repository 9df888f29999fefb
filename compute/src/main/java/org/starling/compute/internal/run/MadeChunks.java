package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.RecoveryMessage.NoteMade;
import org.starling.graph.JobFailedException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;

/**
 * Chunks of attempts, of builds or of checkpoints, from before anybody could come to have them
 * until nobody needs them: those that this slave is in charge of, and those that others have made.
 * Before backups hear of a chunk all other slaves know of it, so should its maker be lost, somebody
 * can tell the master what the next owner is to remove. Each is removed once, and never under an id
 * that has been given to another one. Owned by the slave's service, guarded by itself; its lock is
 * not held while chunks are removed or others told.
 */
public final class MadeChunks {
    private final NodeContext node;
    private final boolean ofBuilds;
    private final Map<Long, Made> attempts = new HashMap<>();

    private record Range(long first, int count) {}

    /** Chunks that another slave is in charge of. */
    private record Foreign(Range range, int slave) {}

    private record Made(Set<Range> own, Set<Foreign> foreign) {
        private Made() {
            this(new LinkedHashSet<>(), new LinkedHashSet<>());
        }

        private boolean has(long first) {
            return own.stream().anyMatch(range -> range.first == first)
                    || foreign.stream().anyMatch(other -> other.range.first == first);
        }

        private boolean isEmpty() {
            return own.isEmpty() && foreign.isEmpty();
        }
    }

    /**
     * None yet.
     *
     * @param node lent by the slave
     * @param ofBuilds whether the attempts are builds, and not checkpoints
     */
    public MadeChunks(NodeContext node, boolean ofBuilds) {
        this.node = node;
        this.ofBuilds = ofBuilds;
    }

    /**
     * Makes chunks, and brings them to the backups.
     *
     * @param attempt for which they are
     * @param slaves who are told of them
     * @param chunks where they are made
     * @param sizes their lengths, not empty
     * @param writer writes the values
     * @return id of the first
     */
    public long make(
            long attempt,
            Slaves slaves,
            ChunkService chunks,
            int[] sizes,
            Consumer<PinnedRange> writer) {
        long first = chunks.createUnreplicated(sizes);
        add(attempt, first, sizes.length);
        if (ChunkId.isReplicated(first)) {
            tell(slaves, new NoteMade(ofBuilds, attempt, first, sizes.length));
        }
        try (PinnedRange pinned = chunks.pin(first, sizes.length)) {
            writer.accept(pinned);
        }
        chunks.replicate(first, sizes.length);
        return first;
    }

    /** One that does not answer is lost, or the work ends with it; one has to, if there is one. */
    private void tell(Slaves slaves, NoteMade note) {
        List<CompletableFuture<Done>> answers = new ArrayList<>();
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                answers.add(node.network().request(slaves.node(slave), note));
            }
        }
        boolean isKnown = answers.isEmpty();
        for (CompletableFuture<Done> answer : answers) {
            isKnown |= answer.handle((_, failure) -> failure == null).join();
        }
        if (!isKnown) {
            throw new JobFailedException(
                    "no other slave answers node " + node.node() + ", so it makes no chunks");
        }
    }

    private synchronized void add(long attempt, long first, int count) {
        attempts.computeIfAbsent(attempt, _ -> new Made()).own.add(new Range(first, count));
    }

    /**
     * Another slave has made chunks.
     *
     * @param from the slave; ids may be of a zone that it has taken over
     */
    public synchronized void heard(int from, NoteMade note) {
        attempts.computeIfAbsent(note.attempt(), _ -> new Made())
                .foreign
                .add(new Foreign(new Range(note.first(), note.count()), from));
    }

    /** Whoever owns these chunks of an attempt now is in charge of them, and all know who. */
    public synchronized void haveOwner(long attempt, long first, int count, int owner) {
        Made made = attempts.computeIfAbsent(attempt, _ -> new Made());
        Range range = new Range(first, count);
        made.foreign.removeIf(foreign -> foreign.range.first == first);
        made.own.remove(range);
        if (owner == node.node()) {
            made.own.add(range);
        } else {
            made.foreign.add(new Foreign(range, owner));
        }
    }

    /** What was made for an attempt stands: nobody removes it as a left-over. */
    public synchronized void forget(long attempt) {
        attempts.remove(attempt);
    }

    /** The same for the attempt that a chunk was made for, if it is known here. */
    public synchronized void forgetAttemptOf(long first) {
        attempts.values().removeIf(made -> made.has(first));
    }

    /** The same of a shard's first chunks, where it has any. */
    public void haveOwners(long attempt, long[] firsts, int count, ShardTable shards) {
        for (int shard = 0; shard < firsts.length; shard++) {
            if (firsts[shard] != 0) {
                haveOwner(attempt, firsts[shard], count, shards.owner(shard));
            }
        }
    }

    /** Removes what this slave is in charge of for attempts, as far as it is this node's. */
    public void remove(LongPredicate which) {
        for (Range range : takeOwn(which)) {
            if (node.chunks().isLocal(range.first)) {
                node.chunks().removeRange(range.first, range.count);
            }
        }
    }

    /**
     * Takes out first chunk and number of each range that others have made for attempts, and who.
     */
    public synchronized long[] takeForeign(LongPredicate which) {
        LongStream.Builder taken = LongStream.builder();
        Iterator<Map.Entry<Long, Made>> entries = attempts.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Long, Made> entry = entries.next();
            if (which.test(entry.getKey())) {
                for (Foreign foreign : entry.getValue().foreign) {
                    taken.add(foreign.range.first).add(foreign.range.count).add(foreign.slave);
                }
                entry.getValue().foreign.clear();
                if (entry.getValue().isEmpty()) {
                    entries.remove();
                }
            }
        }
        return taken.build().toArray();
    }

    /** Number of chunks that this slave is in charge of. */
    public synchronized int size() {
        return attempts.values().stream()
                .flatMap(attempt -> attempt.own.stream())
                .mapToInt(Range::count)
                .sum();
    }

    private synchronized List<Range> takeOwn(LongPredicate which) {
        List<Range> taken = new ArrayList<>();
        Iterator<Map.Entry<Long, Made>> entries = attempts.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Long, Made> entry = entries.next();
            if (which.test(entry.getKey())) {
                taken.addAll(entry.getValue().own);
                entry.getValue().own.clear();
                if (entry.getValue().isEmpty()) {
                    entries.remove();
                }
            }
        }
        return taken;
    }
}
