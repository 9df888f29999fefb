package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.RecoveryMessage.Inherit;
import org.starling.compute.internal.protocol.RecoveryMessage.NoteMade;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;
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
    private final LeftOvers leftOvers;
    private final boolean ofBuilds;
    private final Map<Long, Made> attempts = new HashMap<>();

    private record Range(long first, int count) {}

    /** Chunks that another slave is in charge of. */
    private record Foreign(Range range, int slave) {}

    /** Those inherited are own ones that may lie on any node. */
    private record Made(Set<Range> own, Set<Range> inherited, Set<Foreign> foreign) {
        private Made() {
            this(new LinkedHashSet<>(), new HashSet<>(), new LinkedHashSet<>());
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
        this.leftOvers = new LeftOvers(node.chunks(), "which nobody needs any more");
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
            chunks.replicate(first, sizes.length); // pinned, so that it is not handed over before
        }
        return first;
    }

    /**
     * Makes a chunk of numbers, 8 bytes each.
     *
     * @return its id
     */
    public long make(long attempt, Slaves slaves, ChunkService chunks, long[] numbers) {
        return make(
                attempt,
                slaves,
                chunks,
                new int[] {Math.multiplyExact(numbers.length, Long.BYTES)},
                pinned ->
                        NativeMemory.copyFromArray(numbers, 0, pinned.address(0), numbers.length));
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
        made.inherited.remove(range);
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

    /**
     * The same of a shard's first chunks, where it has any and they have the owner of its rows, as
     * they lie in one zone. If the rows have been moved since, who was in charge stays it.
     */
    public void haveOwners(long attempt, long[] firsts, int count, GraphDescriptor graph) {
        for (int shard = 0; shard < firsts.length; shard++) {
            if (firsts[shard] != 0
                    && ChunkId.zone(firsts[shard]) == ChunkId.zone(graph.outRanges()[shard])) {
                haveOwner(attempt, firsts[shard], count, graph.shardOwners()[shard]);
            }
        }
    }

    /**
     * Gives what this slave is in charge of to the first of those who stay, and tells the others.
     * Once the heir knows, it is forgotten here; whatever happens, one of the two has it.
     */
    public void leaveTo(long term, Slaves stay) {
        LongStream.Builder numbers = LongStream.builder();
        synchronized (this) {
            attempts.forEach((attempt, made) ->
                    made.own.forEach(
                            range -> numbers.add(attempt).add(range.first).add(range.count)));
        }
        int heir = stay.node(0);
        Inherit inherit = new Inherit(term, heir, numbers.build().toArray());
        node.network().request(heir, inherit).join();
        synchronized (this) {
            attempts.clear();
        }
        for (int slave = 1; slave < stay.count(); slave++) {
            node.network().request(stay.node(slave), inherit).exceptionally(_ -> new Done()).join();
        }
    }

    /** A slave has left, and another one, perhaps this, is in charge of its chunks. */
    public synchronized void heard(Inherit inherit) {
        long[] numbers = inherit.ranges();
        for (int i = 0; i + 2 < numbers.length; i += 3) {
            Range range = new Range(numbers[i + 1], Math.toIntExact(numbers[i + 2]));
            Made made = attempts.computeIfAbsent(numbers[i], _ -> new Made());
            made.foreign.removeIf(foreign -> foreign.range.first == range.first);
            if (inherit.heir() == node.node()) {
                made.own.add(range);
                made.inherited.add(range);
            } else {
                made.foreign.add(new Foreign(range, inherit.heir()));
            }
        }
    }

    /**
     * Removes what this slave is in charge of for attempts, as far as it is this node's, and where
     * backups are missing as soon as they are there.
     */
    public void remove(LongPredicate which) {
        Set<Range> inherited = new HashSet<>();
        for (Range range : takeOwn(which, inherited)) {
            if (node.chunks().isLocal(range.first) || inherited.contains(range)) {
                leftOvers.remove(range.first, range.count);
            }
        }
    }

    /**
     * Takes out first chunk and number of each range that others have made for attempts, and who.
     */
    public synchronized long[] takeForeign(LongPredicate which) {
        LongStream.Builder taken = LongStream.builder();
        attempts.forEach((attempt, made) -> {
            if (which.test(attempt)) {
                for (Foreign foreign : made.foreign) {
                    taken.add(foreign.range.first).add(foreign.range.count).add(foreign.slave);
                }
                made.foreign.clear();
            }
        });
        attempts.values().removeIf(Made::isEmpty);
        return taken.build().toArray();
    }

    /** Number of chunks that this slave is in charge of. */
    public synchronized int size() {
        return attempts.values().stream()
                .flatMap(attempt -> attempt.own.stream())
                .mapToInt(Range::count)
                .sum();
    }

    private synchronized List<Range> takeOwn(LongPredicate which, Set<Range> inherited) {
        List<Range> taken = new ArrayList<>();
        attempts.forEach((attempt, made) -> {
            if (which.test(attempt)) {
                taken.addAll(made.own);
                inherited.addAll(made.inherited);
                made.own.clear();
                made.inherited.clear();
            }
        });
        attempts.values().removeIf(Made::isEmpty);
        return taken;
    }
}
