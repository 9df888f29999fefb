package org.starling.benchmarks.graph500;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;
import org.starling.graph.Adjacency;
import org.starling.graph.Shard;

/**
 * How the rows of a shard compare with the input, as far as it has been looked at. Its inbox is
 * guarded by its lock and takes edges of one range at a time; everything else is confined to the
 * worker that computes the shard in a superstep. Costs eight bytes a vertex and a bit a stored
 * edge.
 */
final class ShardTally {

    /** What {@link #compare} answers when every edge is there. */
    static final long NOTHING_MISSING = -1;

    private final long first;
    private final long end;
    // Index of each vertex's first row entry among the shard's entries.
    private final int[] offsets;
    // Input edges at each vertex, self-loops not counted.
    private final int[] degrees;
    // A bit for each row entry that the input has.
    private final long[] seen;
    // Both halves of self-loops are laid here.
    private long halvesOfLoops;

    /** Words of vertex, neighbour and, in a weighted graph, weight. Guarded by this. */
    private final List<LongArrayList> inbox = new ArrayList<>();

    private final boolean weighted;

    /** Words of an edge's half in {@link #receive}. */
    static int words(boolean weighted) {
        return weighted ? 3 : 2;
    }

    ShardTally(Shard shard, boolean weighted) {
        this.weighted = weighted;
        first = shard.first();
        end = shard.end();
        int count = Math.toIntExact(end - first);
        offsets = new int[count + 1];
        degrees = new int[count];
        Adjacency rows = shard.adjacency();
        for (int k = 0; k < count; k++) {
            offsets[k + 1] = Math.addExact(offsets[k], rows.degree(first + k));
        }
        seen = new long[(offsets[count] + Long.SIZE - 1) / Long.SIZE];
    }

    /** Ordinal of the shard's first vertex. */
    long first() {
        return first;
    }

    /** True if a vertex is of this shard. */
    boolean has(long ordinal) {
        return ordinal >= first && ordinal < end;
    }

    /** Takes words of vertex, neighbour and, if weighted, bits of the weight, from any thread. */
    synchronized void receive(LongArrayList halves) {
        inbox.add(halves);
    }

    /**
     * Looks up what was received.
     *
     * @return a vertex in whose row an edge of the input is missing or heavier than there, or
     *     {@link #NOTHING_MISSING}
     */
    long compare(RowReader rows) {
        long missing = NOTHING_MISSING;
        for (LongArrayList halves : takeAll()) {
            long[] words = halves.elements();
            for (int at = 0; at < halves.size(); at += words(weighted)) {
                int weight = weighted ? (int) words[at + 2] : 0;
                if (!compare(rows, words[at], words[at + 1], weight)) {
                    missing = words[at];
                }
            }
        }
        return missing;
    }

    /** Number of input edges at a vertex, self-loops not counted. */
    int degree(long ordinal) {
        return degrees[(int) (ordinal - first)];
    }

    /** True if the input has all edges of a vertex's row, with their weights. */
    boolean hasSeenRow(long ordinal) {
        int k = (int) (ordinal - first);
        for (int entry = offsets[k]; entry < offsets[k + 1]; entry++) {
            if ((seen[entry / Long.SIZE] & (1L << entry)) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Number of entries in all rows. */
    long entries() {
        return offsets[offsets.length - 1];
    }

    /** Number of self-loops of the input. */
    long selfLoops() {
        return halvesOfLoops / 2;
    }

    private boolean compare(RowReader rows, long vertex, long neighbour, int weight) {
        if (vertex == neighbour) {
            halvesOfLoops++;
            return true;
        }
        int k = (int) (vertex - first);
        degrees[k]++;
        int degree = offsets[k + 1] - offsets[k];
        int index = rows.indexOf(vertex, neighbour, degree);
        if (index < 0) {
            return false;
        }
        int entry = offsets[k] + index;
        if (weighted) {
            float given = Float.intBitsToFloat(weight);
            float kept = rows.weight(rows.row(vertex), degree, index);
            if (given != kept) {
                return given > kept;
            }
        }
        seen[entry / Long.SIZE] |= 1L << entry;
        return true;
    }

    private synchronized List<LongArrayList> takeAll() {
        List<LongArrayList> taken = List.copyOf(inbox);
        inbox.clear();
        return taken;
    }
}
