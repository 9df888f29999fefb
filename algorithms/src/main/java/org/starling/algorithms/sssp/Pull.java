package org.starling.algorithms.sssp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Adjacency;
import org.starling.graph.IntMirror;
import org.starling.graph.Shard;

/** Looks for the best paths to vertices over those that point at them. Confined to a worker. */
final class Pull {
    private static final int CANDIDATES = 4 * RowBatch.BLOCK;

    private final boolean weighted;
    private final SharedSearch shared;
    private final @Nullable IntMirror published;
    private final EdgeWalk.Offers sink;
    private final RowBatch batch;
    private final long[] best = new long[RowBatch.CAPACITY];
    private final int[] owners = new int[CANDIDATES];
    private final int[] neighbours = new int[CANDIDATES];
    private final float[] weights = new float[CANDIDATES];
    private final float[] before = new float[CANDIDATES];
    private int candidates;

    /**
     * A look.
     *
     * @param published bits of the distances of settled vertices; null if the shared labels are all
     */
    Pull(
            boolean weighted,
            SharedSearch shared,
            @Nullable IntMirror published,
            EdgeWalk.Offers sink) {
        this.weighted = weighted;
        this.shared = shared;
        this.published = published;
        this.sink = sink;
        this.batch = new RowBatch(weighted);
    }

    /**
     * Offers the vertices of a shard the best paths over their neighbours.
     *
     * @param base who is nearer than this has made its offers before
     * @param horizon who is nearer than this is settled
     */
    void go(Shard shard, float base, float horizon) {
        batch.clear();
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            long label = shared.label(v);
            if (Label.distance(label) >= horizon) {
                best[batch.add(v)] = label;
                if (batch.isFull()) {
                    look(shard.incoming(), base);
                }
            }
        }
        look(shard.incoming(), base);
    }

    private void look(Adjacency incoming, float base) {
        batch.locate(incoming);
        MemorySegment memory = incoming.memory();
        for (int i = 0; i < batch.size(); i++) {
            int degree = batch.degree(i);
            for (int first = 0; first < degree; first += RowBatch.BLOCK) {
                int size = Math.min(RowBatch.BLOCK, degree - first);
                if (candidates + size > CANDIDATES) {
                    compare();
                }
                collect(memory, i, first, size, base);
            }
        }
        compare();
        for (int i = 0; i < batch.size(); i++) {
            sink.offer(batch.vertex(i), best[i]);
        }
        batch.clear();
    }

    private void collect(MemorySegment memory, int index, int first, int size, float base) {
        int limit = RowBatch.limit(base, Math.nextUp(Label.distance(best[index])));
        int found = batch.select(memory, index, first, size, limit);
        long row = batch.targets(index, first);
        long toWeight = batch.weightOffset(index);
        for (int hit = 0; hit < found; hit++) {
            long at = row + 4L * batch.hit(hit);
            weights[candidates] =
                    weighted ? memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at + toWeight) : 1f;
            neighbours[candidates] = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            owners[candidates++] = index;
        }
    }

    private void compare() {
        IntMirror mirror = published;
        if (mirror == null) {
            for (int i = 0; i < candidates; i++) {
                before[i] = Label.distance(shared.label(neighbours[i]));
            }
        } else {
            for (int i = 0; i < candidates; i++) {
                before[i] = Float.intBitsToFloat(mirror.read(neighbours[i]));
            }
        }
        for (int i = 0; i < candidates; i++) {
            float length = before[i] + weights[i];
            if (length < Float.POSITIVE_INFINITY) {
                long offered = Label.over(neighbours[i], before[i], length);
                best[owners[i]] = Math.min(best[owners[i]], offered);
            }
        }
        candidates = 0;
    }
}
