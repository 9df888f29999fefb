package org.starling.compute.internal.query;

import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.PointMessage.Answer;
import org.starling.compute.internal.protocol.PointMessage.FindVertices;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.protocol.PointMessage.IdsTold;
import org.starling.compute.internal.protocol.PointMessage.NumberTextsTold;
import org.starling.compute.internal.protocol.PointMessage.Presence;
import org.starling.compute.internal.protocol.PointMessage.ReadIds;
import org.starling.compute.internal.protocol.PointMessage.ReadNumberTexts;
import org.starling.compute.internal.protocol.PointMessage.VerticesTold;
import org.starling.compute.internal.protocol.PointMessage.Word;
import org.starling.compute.internal.query.OpenGraph.GoneException;
import org.starling.compute.internal.query.PointQueries.UnansweredException;
import org.starling.net.RecordRequest;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Asks the owners of a graph's shards, all at once, and again those that have moved or were lost,
 * until all have answered or the time is over. Blocking; any thread that may wait.
 */
final class Owners {
    /** Whoever does not answer by then is asked again: it may have been lost. */
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(3);

    private final StoreNode store;

    Owners(StoreNode store) {
        this.store = store;
    }

    /** Peers that may own shards. */
    List<Integer> peers() {
        return store.membership().computingPeers().stream().map(NodeInfo::id).toList();
    }

    /** Asks a peer; null instead of an answer if there is none. */
    <A extends Answer, Q extends RecordRequest<A>> CompletableFuture<@Nullable A> ask(
            int node, Q question, Deadline deadline) {
        long nanos = Math.min(ANSWER_PATIENCE.toNanos(), Math.max(1, deadline.leftNanos()));
        return ask(node, question, nanos);
    }

    /** The same, and waits so long. */
    <A extends Answer, Q extends RecordRequest<A>> CompletableFuture<@Nullable A> ask(
            int node, Q question, long nanos) {
        return store.network()
                .request(node, question, Duration.ofNanos(nanos))
                .handle((answer, _) -> answer);
    }

    /** Ids of vertices of any shards. */
    long[] ids(GraphAt at, OpenGraph graph, long[] ordinals, Deadline deadline) {
        long[] ids = new long[ordinals.length];
        BitSet open = new BitSet();
        open.set(0, ordinals.length);
        for (int tries = 1; !open.isEmpty(); tries++) {
            Map<Integer, int[]> byOwner = byOwner(graph, ordinals, open);
            Map<Integer, IdsTold> answers =
                    all(byOwner, indexes -> new ReadIds(at, pick(ordinals, indexes)), deadline);
            answers.forEach((owner, told) -> {
                int[] indexes = byOwner.getOrDefault(owner, new int[0]);
                for (int i = 0; i < indexes.length; i++) {
                    ids[indexes[i]] = told.ids()[i];
                    open.clear(indexes[i]);
                }
            });
            if (!open.isEmpty()) {
                waitFor(
                        graph,
                        graph.shards().shardOf(ordinals[open.nextSetBit(0)]),
                        tries,
                        deadline);
            }
        }
        return ids;
    }

    /**
     * Texts of the first of some ids that are numbers, as many as come to about so many characters,
     * and one at least. An owner answers in the order of the question, as far as its answer goes;
     * so whoever is asked again brings the first one that lacks.
     */
    List<String> texts(
            GraphAt at, OpenGraph graph, long[] numbers, long characters, Deadline deadline) {
        @Nullable String[] texts = new String[numbers.length];
        BitSet open = new BitSet();
        open.set(0, numbers.length);
        long[] held = new long[1];
        int vain = 0;
        while (!open.isEmpty() && (open.get(0) || held[0] < characters)) {
            int before = open.cardinality();
            Map<Integer, int[]> byOwner = byOwner(graph, numbers, open);
            Map<Integer, NumberTextsTold> answers =
                    all(
                            byOwner,
                            indexes -> new ReadNumberTexts(at, pick(numbers, indexes)),
                            deadline);
            answers.forEach((owner, told) -> {
                int[] asked = byOwner.getOrDefault(owner, new int[0]);
                for (int i = 0; i < told.indexes().length; i++) {
                    int index = asked[told.indexes()[i]];
                    texts[index] = told.texts().get(i);
                    held[0] += told.texts().get(i).length();
                    open.clear(index);
                }
            });
            if (open.cardinality() == before) {
                int shard = graph.shards().shardOf(numbers[open.nextSetBit(0)]);
                waitFor(graph, shard, ++vain, deadline);
            }
        }
        int whole = open.isEmpty() ? numbers.length : open.nextSetBit(0);
        return Arrays.stream(texts, 0, whole).map(Objects::requireNonNull).toList();
    }

    /** Ordinals of some ids; -1 for those that the graph does not have. */
    long[] ordinals(GraphAt at, OpenGraph graph, long[] ids, Deadline deadline) {
        long[] ordinals = new long[ids.length];
        Arrays.fill(ordinals, -1);
        BitSet searched = new BitSet();
        for (int tries = 1; ; tries++) {
            Map<Integer, int[]> everybody = new LinkedHashMap<>();
            peers().forEach(peer -> everybody.put(peer, new int[0]));
            Map<Integer, VerticesTold> answers =
                    all(everybody, _ -> new FindVertices(at, ids), deadline);
            for (VerticesTold told : answers.values()) {
                searched.or(BitSet.valueOf(told.word().searched()));
                for (int i = 0; i < ids.length; i++) {
                    ordinals[i] = Math.max(ordinals[i], told.ordinals()[i]);
                }
            }
            int missing = searched.nextClearBit(0);
            if (missing >= graph.shards().count()
                    || Arrays.stream(ordinals).allMatch(o -> o >= 0)) {
                return ordinals;
            }
            waitFor(graph, missing, tries, deadline);
        }
    }

    /** Who owns a shard; this node's guess if nobody does now. */
    int owner(OpenGraph graph, int shard) {
        if (graph.isHere(shard)) {
            return store.nodeId();
        }
        try {
            return store.chunks().owner(graph.descriptor().outRanges()[shard]);
        } catch (StoreException unknown) {
            return -1;
        }
    }

    /**
     * Waits a moment for a shard that nobody answers for.
     *
     * @throws UnansweredException if the time is over, or the shard is lost
     */
    void waitFor(OpenGraph graph, int shard, int tries, Deadline deadline) {
        long rows = graph.descriptor().outRanges()[shard];
        if (deadline.isOver()) {
            try {
                store.chunks().awaitOwner(rows, Duration.ofMillis(1));
            } catch (ChunkNotFoundException | DataLostException lost) {
                throw new UnansweredException("a part of the graph is gone: " + lost.getMessage());
            } catch (StoreException unknown) {
                throw new UnansweredException(recovering());
            }
            throw new UnansweredException(recovering());
        }
        deadline.pause(tries);
    }

    static String recovering() {
        return "a part of the graph is being recovered after the loss of a peer, or its owner is too busy to answer; ask again in a moment";
    }

    /** Answers of those that have one. */
    private <A extends Answer, Q extends RecordRequest<A>> Map<Integer, A> all(
            Map<Integer, int[]> byOwner, Function<int[], Q> question, Deadline deadline) {
        Map<Integer, CompletableFuture<@Nullable A>> asked = new LinkedHashMap<>();
        byOwner.forEach((owner, indexes) -> {
            if (owner >= 0) {
                asked.put(owner, ask(owner, question.apply(indexes), deadline));
            }
        });
        Map<Integer, A> answers = new LinkedHashMap<>();
        asked.forEach((owner, future) -> {
            A answer = future.join();
            if (answer != null) {
                check(answer.word());
                if (answer.word().presence() == Presence.FOUND
                        || answer.word().presence() == Presence.ABSENT) {
                    answers.put(owner, answer);
                }
            }
        });
        return answers;
    }

    /** Throws where no other try would help. */
    static void check(Word word) {
        if (word.presence() == Presence.GONE) {
            throw new GoneException();
        }
    }

    private Map<Integer, int[]> byOwner(OpenGraph graph, long[] ordinals, BitSet open) {
        Map<Integer, IntStream.Builder> lists = new LinkedHashMap<>();
        Map<Integer, Integer> owners = new LinkedHashMap<>();
        open.stream()
                .forEach(i -> {
                    int shard = graph.shards().shardOf(ordinals[i]);
                    int owner = owners.computeIfAbsent(shard, s -> owner(graph, s));
                    lists.computeIfAbsent(owner, _ -> IntStream.builder()).add(i);
                });
        Map<Integer, int[]> indexes = new LinkedHashMap<>();
        lists.forEach((owner, list) -> indexes.put(owner, list.build().toArray()));
        return indexes;
    }

    private static long[] pick(long[] from, int[] indexes) {
        return Arrays.stream(indexes).mapToLong(i -> from[i]).toArray();
    }
}
