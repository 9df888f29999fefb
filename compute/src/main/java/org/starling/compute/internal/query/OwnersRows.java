package org.starling.compute.internal.query;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.protocol.PointMessage.Presence;
import org.starling.compute.internal.protocol.PointMessage.ReadRows;
import org.starling.compute.internal.protocol.PointMessage.RowsTold;

/**
 * Rows of any vertices, read from their owners: all owners at once, each a bounded part of its rows
 * at a time, and handed on in the order that was asked for. When an owner fails, all that has not
 * been handed on is asked of those who own it then. Takes one answer per owner. Confined to one
 * thread.
 */
final class OwnersRows implements PathSearch.Rows {
    /** Vertices that are asked of all owners together. */
    private static final int BATCH = 1 << 13;

    private final Owners owners;
    private final GraphAt at;
    private final OpenGraph graph;

    /** Until when to search; when it is over, reading ends. */
    private final Deadline search;

    /** Until when to wait for an owner. */
    private final Deadline deadline;

    private enum Outcome {
        WHOLE,
        ENOUGH,
        UNANSWERED
    }

    OwnersRows(Owners owners, GraphAt at, OpenGraph graph, Deadline search, Deadline deadline) {
        this.owners = owners;
        this.at = at;
        this.graph = graph;
        this.search = search;
        this.deadline = deadline;
    }

    @Override
    public boolean read(long[] ordinals, boolean incoming, PathSearch.Sink sink) {
        int handedOn = 0;
        int skip = 0;
        int tries = 0;
        while (handedOn < ordinals.length) {
            int end = Math.min(ordinals.length, handedOn + BATCH);
            Map<Integer, Stream> streams = streams(ordinals, handedOn, end, incoming, skip);
            Outcome outcome = Outcome.WHOLE;
            while (handedOn < end && outcome == Outcome.WHOLE) {
                int shard = graph.shards().shardOf(ordinals[handedOn]);
                Stream stream = streams.get(shard);
                outcome = stream == null ? Outcome.UNANSWERED : stream.handOn(handedOn, sink);
                skip = outcome == Outcome.WHOLE || stream == null ? skip : stream.skip;
                if (outcome == Outcome.WHOLE) {
                    handedOn++;
                    skip = 0;
                    tries = 0;
                }
            }
            if (outcome == Outcome.ENOUGH || search.isOver()) {
                return handedOn == ordinals.length;
            }
            if (outcome == Outcome.UNANSWERED) {
                owners.waitFor(
                        graph, graph.shards().shardOf(ordinals[handedOn]), ++tries, deadline);
            }
        }
        return true;
    }

    /** Begins to ask the owners; by shard, none for shards that nobody owns. */
    private Map<Integer, Stream> streams(
            long[] ordinals, int first, int end, boolean incoming, int skip) {
        Map<Integer, Integer> ownerOf = new LinkedHashMap<>();
        Map<Integer, IntStream.Builder> indexes = new LinkedHashMap<>();
        for (int i = first; i < end; i++) {
            int shard = graph.shards().shardOf(ordinals[i]);
            int owner = ownerOf.computeIfAbsent(shard, s -> owners.owner(graph, s));
            indexes.computeIfAbsent(owner, _ -> IntStream.builder()).add(i);
        }
        Map<Integer, Stream> byOwner = new LinkedHashMap<>();
        indexes.forEach((owner, some) -> {
            int[] asked = some.build().toArray();
            long[] vertices = Arrays.stream(asked).mapToLong(i -> ordinals[i]).toArray();
            if (owner >= 0) {
                byOwner.put(
                        owner, new Stream(owner, vertices, incoming, asked[0] == first ? skip : 0));
            }
        });
        Map<Integer, Stream> byShard = new LinkedHashMap<>();
        ownerOf.forEach((shard, owner) -> {
            Stream stream = byOwner.get(owner);
            if (stream != null) {
                byShard.put(shard, stream);
            }
        });
        return byShard;
    }

    /** What one owner was asked, and how far its answers have been handed on. */
    private final class Stream {
        private final int owner;
        private final long[] vertices;
        private final boolean incoming;

        /** Vertices that are done, and neighbours of the next one that are. */
        private int vertex;

        private int skip;
        private CompletableFuture<@Nullable RowsTold> answer;
        private @Nullable RowsTold part;
        private int row;
        private int target;

        private Stream(int owner, long[] vertices, boolean incoming, int skip) {
            this.owner = owner;
            this.vertices = vertices;
            this.incoming = incoming;
            this.skip = skip;
            this.answer = request();
        }

        private CompletableFuture<@Nullable RowsTold> request() {
            long[] left = Arrays.copyOfRange(vertices, vertex, vertices.length);
            return owners.ask(owner, new ReadRows(at, left, incoming, skip), deadline);
        }

        /** Hands on what is left of the row of the next vertex. */
        private Outcome handOn(int index, PathSearch.Sink sink) {
            while (true) {
                RowsTold told = part == null ? take() : part;
                if (told == null) {
                    return Outcome.UNANSWERED;
                }
                for (int end = target + told.counts()[row]; target < end; ) {
                    skip++;
                    if (!sink.neighbour(index, told.targets()[target++])) {
                        return Outcome.ENOUGH;
                    }
                }
                boolean whole = ++row < told.counts().length || told.whole();
                vertex += whole ? 1 : 0;
                skip = whole ? 0 : skip;
                if (row == told.counts().length) {
                    part = null;
                    answer = vertex < vertices.length ? request() : answer;
                }
                if (whole) {
                    return Outcome.WHOLE;
                }
                if (search.isOver()) {
                    return Outcome.ENOUGH;
                }
            }
        }

        private @Nullable RowsTold take() {
            RowsTold told = answer.join();
            if (told != null) {
                Owners.check(told.word());
            }
            row = 0;
            target = 0;
            part = told != null && told.word().presence() == Presence.FOUND ? told : null;
            return part;
        }
    }
}
