package org.starling.algorithms.sssp;

import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.starling.graph.IntMirror;
import org.starling.graph.LongChannel;
import org.starling.graph.Shard;
import org.starling.graph.Team;

/**
 * One worker's part in a search: takes vertices from the {@link SharedSearch}, nearest first, and
 * offers their neighbours paths over them.
 *
 * <p>Confined to its worker. Vertices that it finds go to chunks of its own; it works at these as
 * long as they are the nearest ones and nobody is idle, else it shares them.
 */
final class Searcher {
    private static final int SHARED_SIZE = 2;

    private final SharedSearch shared;
    private final LongChannel offers;
    private final boolean weighted;
    private final EdgeWalk walk;
    private @Nullable Pull pull;
    private final Chunk[] open = new Chunk[SharedSearch.BINS];

    /** Bin of the chunk that is worked at. */
    private int nextBin;

    /** No open chunk below this one has vertices. */
    private int lowest;

    private Chunk farther = new Chunk();
    private Chunk settled = new Chunk();
    private int[] elsewhere = new int[Chunk.CAPACITY];
    private int elsewhereCount;
    private Epoch epoch = new Epoch(0, 0, 0, 1, 0);
    private float nearest;
    private final long[] labels = new long[Chunk.CAPACITY];
    private final int[] notes = new int[Chunk.CAPACITY];

    /**
     * A part.
     *
     * @param offers carries offers to other nodes
     */
    Searcher(SharedSearch shared, LongChannel offers, boolean weighted) {
        this.shared = shared;
        this.offers = offers;
        this.weighted = weighted;
        this.walk = new EdgeWalk(weighted, shared, this::offer);
        Arrays.setAll(open, _ -> new Chunk());
    }

    /** Turns to an epoch and begins to count anew. */
    void enter(Epoch newEpoch) {
        epoch = newEpoch;
        nearest = Float.POSITIVE_INFINITY;
        walk.enter();
    }

    /** Least distance of those put off since {@link #enter}, as far as it is known here. */
    float nearest() {
        return nearest;
    }

    /** Edges looked at since {@link #enter}. */
    long scannedEdges() {
        return walk.edges();
    }

    /** Edges of vertices that were settled since {@link #enter}. */
    long settledEdges() {
        return walk.newEdges();
    }

    /** First bin that has vertices here or in common; {@link SharedSearch#BINS} if none has. */
    int lowestBin() {
        return shared.lowestBin(lowestOpen(SharedSearch.BINS));
    }

    /** Offers a vertex a path. */
    void offer(int target, long offered) {
        long known = shared.label(target);
        while (offered < known) {
            if (shared.lower(target, known, offered)) {
                found(target, Label.distance(offered), Label.distance(known));
                return;
            }
            known = shared.label(target);
        }
    }

    /** Works with the team until no vertex of this node can come nearer below the horizon. */
    void relax(Team team) {
        Round round = shared.round(team);
        Deque<Chunk> waiting = shared.waiting(epoch.number());
        do {
            Chunk chunk;
            while ((chunk = waiting.poll()) != null) {
                sort(chunk);
            }
            while ((chunk = next(round)) != null) {
                team.check();
                long before = walk.edges();
                scan(team, chunk);
                round.spend(walk.edges() - before, nextBin);
            }
        } while (round.awaitWork(shared, waiting, epoch.reach(), team));
        handOver();
    }

    /** Offers paths over edges that lead beyond the horizon, from all that this epoch settled. */
    void push(Team team) {
        Round round = shared.round(team);
        do {
            Chunk chunk;
            while ((chunk = shared.settled().poll()) != null) {
                team.check();
                walk.begin();
                for (int i = 0; i < chunk.size; i++) {
                    int vertex = chunk.vertices[i];
                    walk.add(vertex, Label.distance(shared.label(vertex)), false);
                }
                walk.go(team.adjacency(), epoch.horizon(), Float.POSITIVE_INFINITY);
            }
        } while (round.awaitWork(shared, shared.settled(), 0, team));
        handOver();
    }

    /**
     * Offers the vertices of a shard that are not settled paths over those that this epoch settled.
     *
     * @param published bits of the distances of settled vertices; null if the shared labels are all
     */
    void pull(Shard shard, @Nullable IntMirror published) {
        if (pull == null) {
            pull = new Pull(weighted, shared, published, this::offer);
        }
        pull.go(shard, epoch.base(), epoch.horizon());
    }

    /** Nobody relaxes any more: lets go of what is for later and for others. */
    void handOver() {
        if (farther.size > 0) {
            shared.putOff(epoch.number()).push(farther);
            farther = new Chunk();
        }
        if (settled.size > 0) {
            shared.settled().push(settled);
            settled = new Chunk();
        }
        for (int i = 0; i < elsewhereCount; i++) {
            int vertex = elsewhere[i];
            shared.dequeue(vertex);
            offers.send(vertex, shared.label(vertex));
        }
        elsewhereCount = 0;
    }

    /** Vertices that were put off: some are within the horizon by now. */
    private void sort(Chunk chunk) {
        for (int i = 0; i < chunk.size; i++) {
            int vertex = chunk.vertices[i];
            float distance = Label.distance(shared.label(vertex));
            if (distance >= epoch.horizon()) {
                again(vertex, distance);
            } else {
                shared.dequeue(vertex);
                if (distance >= epoch.base()) {
                    put(vertex, distance);
                }
            }
        }
    }

    /** A chunk of the nearest vertices; null if there is nothing to take in this superstep. */
    private @Nullable Chunk next(Round round) {
        while (true) {
            int end = Math.min(epoch.reach(), round.ceiling());
            int bin = shared.lowestBin(end);
            int own = lowestOpen(end);
            nextBin = Math.min(own, bin);
            if (own <= bin && own < end) {
                Chunk chunk = open[own];
                open[own] = new Chunk();
                if (chunk.size >= SHARED_SIZE && round.isAnyoneIdle()) {
                    shared.push(own, chunk.split());
                }
                return chunk;
            }
            if (bin == end) {
                return null;
            }
            Chunk chunk = shared.poll(bin);
            if (chunk != null) {
                return chunk;
            }
        }
    }

    private int lowestOpen(int end) {
        while (lowest < end && open[lowest].size == 0) {
            lowest++;
        }
        return Math.min(lowest, end);
    }

    /** Offers paths over all vertices of a chunk that have come nearer since the last time. */
    private void scan(Team team, Chunk chunk) {
        int size = chunk.size;
        for (int i = 0; i < size; i++) {
            labels[i] = shared.label(chunk.vertices[i]);
        }
        for (int i = 0; i < size; i++) {
            notes[i] = shared.scanned(chunk.vertices[i]);
        }
        walk.begin();
        for (int i = 0; i < size; i++) {
            int vertex = chunk.vertices[i];
            float distance = Label.distance(labels[i]);
            int note = Float.floatToRawIntBits(distance) + 1;
            if (notes[i] != note) {
                shared.noteScan(vertex, note);
                boolean first = notes[i] == SharedSearch.NEVER;
                walk.add(vertex, distance, first);
                if (first) {
                    settle(vertex);
                }
            }
        }
        walk.go(team.adjacency(), 0, epoch.horizon());
    }

    private void settle(int vertex) {
        settled.add(vertex);
        if (settled.isFull()) {
            shared.settled().push(settled);
            settled = new Chunk();
        }
    }

    private void found(int vertex, float distance, float before) {
        if (!shared.isHere(vertex)) {
            if (distance >= epoch.horizon()) {
                nearest = Math.min(nearest, distance);
            }
            if (shared.enqueue(vertex)) {
                send(vertex);
            }
        } else if (distance < before) {
            if (distance < epoch.horizon()) {
                put(vertex, distance);
            } else {
                putOff(vertex, distance);
            }
        }
    }

    private void put(int vertex, float distance) {
        int bin = epoch.bin(distance);
        lowest = Math.min(lowest, bin);
        Chunk chunk = open[bin];
        chunk.add(vertex);
        if (chunk.isFull()) {
            shared.push(bin, chunk);
            open[bin] = new Chunk();
        }
    }

    private void putOff(int vertex, float distance) {
        if (shared.enqueue(vertex)) {
            again(vertex, distance);
        } else {
            nearest = Math.min(nearest, distance);
        }
    }

    private void again(int vertex, float distance) {
        nearest = Math.min(nearest, distance);
        farther.add(vertex);
        if (farther.isFull()) {
            shared.putOff(epoch.number()).push(farther);
            farther = new Chunk();
        }
    }

    private void send(int vertex) {
        if (elsewhereCount == elsewhere.length) {
            elsewhere = Arrays.copyOf(elsewhere, 2 * elsewhereCount);
        }
        elsewhere[elsewhereCount++] = vertex;
    }
}
