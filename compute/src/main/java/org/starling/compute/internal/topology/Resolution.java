package org.starling.compute.internal.topology;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ChangeLayout;
import org.starling.compute.internal.graph.ChunkBytes;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.run.ChangeList;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;

/**
 * What all slaves must know alike of the changes of a superstep: which vertices go, which come and
 * under which ordinals, and edges between ids as edges between ordinals. Every slave works it out
 * by itself, from the same changes; the order in which they come does not matter. Confined to its
 * thread while it is made, immutable then.
 */
final class Resolution implements AutoCloseable {
    private static final int WORD = 1 << Bitmap.WORD_SHIFT;
    private static final long NOWHERE = -1;

    private final ChunkService chunks;
    private final long[] changes;
    private final Long2LongOpenHashMap ordinals = new Long2LongOpenHashMap();
    private final ChangeList edges = new ChangeList();
    private final Bitmap gone;
    private final long before;
    private final long firstAdded;
    private final long[] added;
    private long goneCount;

    /**
     * Works it out.
     *
     * @param changes chunks of all slaves of changes that concern all
     * @param found chunks of what {@link IdFinder} has found
     */
    Resolution(StoredGraph graph, ChunkService chunks, long[] changes, long[] found) {
        this.chunks = chunks;
        this.changes = changes;
        this.before = graph.shards().vertices();
        ordinals.defaultReturnValue(NOWHERE);
        readFound(found);
        Bitmap removed = new Bitmap(before);
        boolean done = false;
        try {
            copy(graph.gone(), removed);
            goneCount = graph.version().gone();
            forEach(at -> remove(removed, at));
            this.added = newIds(removed);
            this.firstAdded = added.length == 0 ? before : Math.ceilDiv(before, WORD) * WORD;
            checkFits(graph);
            for (int i = 0; i < added.length; i++) {
                ordinals.put(added[i], firstAdded + i);
            }
            forEach(this::addEdge);
            this.gone = grown(removed);
            done = true;
        } finally {
            if (!done) {
                removed.close();
                edges.close();
            }
        }
    }

    /** Number of ordinals in the new version. */
    long ordinals() {
        return firstAdded + added.length;
    }

    /** Ordinal of the first vertex that comes; the number of ordinals if none does. */
    long firstAdded() {
        return firstAdded;
    }

    /** Ids of the vertices that come, in the order of their ordinals. */
    long[] added() {
        return added;
    }

    /** Ordinals that lead to nobody in the new version. */
    Bitmap gone() {
        return gone;
    }

    /** How many they are. */
    long goneCount() {
        return goneCount;
    }

    /** Changes of edges that were named by ids, by ordinals. */
    ChangeList edges() {
        return edges;
    }

    @Override
    public void close() {
        gone.close();
        edges.close();
    }

    private void readFound(long[] found) {
        for (long chunk : found) {
            if (chunk != 0) {
                try (ChunkBytes bytes = new ChunkBytes(chunks, chunk)) {
                    long end = bytes.address() + bytes.bytes();
                    for (long at = bytes.address(); at < end; at += 2 * Long.BYTES) {
                        ordinals.put(NativeMemory.getLong(at), NativeMemory.getLong(at + 8));
                    }
                }
            }
        }
    }

    private void remove(Bitmap removed, long at) {
        switch (ChangeLayout.kind(at)) {
            case ChangeLayout.REMOVE_VERTEX -> remove(removed, at, ChangeLayout.first(at));
            case ChangeLayout.REMOVE_VERTEX_BY_ID ->
                    remove(removed, at, ordinals.get(ChangeLayout.first(at)));
            case ChangeLayout.REMOVE_EDGE_BY_ID -> {
                long first = ordinals.get(ChangeLayout.first(at));
                long second = ordinals.get(ChangeLayout.second(at));
                if (first != NOWHERE && second != NOWHERE) {
                    edges.add(ChangeLayout.REMOVE_EDGE, first, second, 0);
                }
            }
            default -> {}
        }
    }

    private void remove(Bitmap removed, long at, long ordinal) {
        if (ordinal >= before) {
            throw new IllegalStateException(
                    "a change of kind " + ChangeLayout.kind(at) + " at ordinal " + ordinal);
        }
        if (ordinal != NOWHERE && removed.set(ordinal)) {
            goneCount++;
        }
    }

    /** Ids that are named as those of vertices to come, and are not there, ascending. */
    private long[] newIds(Bitmap removed) {
        LongOpenHashSet ids = new LongOpenHashSet();
        forEach(at -> {
            int kind = ChangeLayout.kind(at);
            if (kind == ChangeLayout.ADD_VERTEX || kind == ChangeLayout.ADD_EDGE_BY_ID) {
                addIfMissing(ids, removed, ChangeLayout.first(at));
            }
            if (kind == ChangeLayout.ADD_EDGE_BY_ID) {
                addIfMissing(ids, removed, ChangeLayout.second(at));
            }
        });
        long[] sorted = ids.toLongArray();
        flip(sorted);
        Arrays.parallelSort(sorted);
        flip(sorted);
        return sorted;
    }

    private void addIfMissing(LongOpenHashSet ids, Bitmap removed, long id) {
        long ordinal = ordinals.get(id);
        if (ordinal == NOWHERE || removed.get(ordinal)) {
            ids.add(id);
        }
    }

    /** Ids are unsigned; so signed comparison puts them in order, and back again. */
    private static void flip(long[] ids) {
        for (int i = 0; i < ids.length; i++) {
            ids[i] ^= Long.MIN_VALUE;
        }
    }

    private void addEdge(long at) {
        if (ChangeLayout.kind(at) == ChangeLayout.ADD_EDGE_BY_ID) {
            long first = ordinals.get(ChangeLayout.first(at));
            long second = ordinals.get(ChangeLayout.second(at));
            if (first != second) {
                edges.add(ChangeLayout.ADD_EDGE, first, second, ChangeLayout.weight(at));
            }
        }
    }

    /** The same for the ordinals of the new version; those before the first one that comes go. */
    private Bitmap grown(Bitmap removed) {
        if (added.length == 0) {
            return removed;
        }
        Bitmap all = new Bitmap(ordinals());
        copy(removed, all);
        removed.close();
        for (long ordinal = before; ordinal < firstAdded; ordinal++) {
            all.set(ordinal);
            goneCount++;
        }
        return all;
    }

    private void copy(@Nullable Bitmap from, Bitmap to) {
        for (long word = 0; from != null && word < Bitmap.words(before); word++) {
            if (from.word(word) != 0) {
                to.setWord(word, from.word(word));
            }
        }
    }

    private void checkFits(StoredGraph graph) {
        boolean narrow = graph.descriptor().neighbourBytes() == AdjacencyLayout.NARROW_BYTES;
        long most = narrow ? AdjacencyLayout.MAX_NARROW_VERTICES : AdjacencyLayout.MAX_VERTICES;
        if (ordinals() > most) {
            throw new JobFailedException(
                    "graph \"%s\" would have %d vertices, but at most %d can be told apart in its rows"
                            .formatted(graph.descriptor().name(), ordinals(), most));
        }
    }

    private void forEach(LongConsumer visitor) {
        ChangeSender.forEach(chunks, changes, visitor);
    }
}
