package org.starling.benchmarks.graph500;

import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Adjacency;
import org.starling.graph.IntMirror;
import org.starling.graph.Shard;
import org.starling.graph.Team;
import org.starling.loaders.KroneckerEdges;
import org.starling.loaders.KroneckerGraph;

/**
 * How the rows of a node compare with the input. First every shard is entered, then all workers
 * share the edges of the input and look up each end that is of this node, then it is asked. Takes
 * 12 bytes a vertex and a bit a stored edge. Safe for use by several threads.
 */
final class InputTally {
    /** What {@link #lookUp} and {@link #index} answer when all is right. */
    static final long NOTHING_WRONG = -1;

    /** Edges of the input that a worker takes at a time. */
    static final long EDGES_PER_CLAIM = 1 << 14;

    private static final int NONE = -1;

    private final KroneckerGraph graph;
    private final boolean weighted;
    private final ConcurrentSkipListMap<Long, Part> parts = new ConcurrentSkipListMap<>();
    private final AtomicLong claimed = new AtomicLong();

    /** Ordinals by id, once they are known. */
    private int @Nullable [] ordinals;

    private long wrongId = NOTHING_WRONG;

    InputTally(KroneckerGraph graph, boolean weighted) {
        this.graph = graph;
        this.weighted = weighted;
    }

    /** Enters a shard of this node. */
    void enter(Shard shard) {
        parts.put(shard.first(), new Part(shard));
    }

    /** What is known of a shard that was entered. */
    Part part(Shard shard) {
        Part part = parts.get(shard.first());
        if (part == null) {
            throw new IllegalStateException("shard " + shard.index() + " came to this node late");
        }
        return part;
    }

    /**
     * Finds the way from the generator's numbers to ordinals, if nobody has yet.
     *
     * @param ids id of each vertex, all of them published
     * @return a vertex whose id is not one of the generator's, or another's, if there is one
     */
    synchronized long index(IntMirror ids) {
        if (ordinals == null) {
            int[] found = new int[Math.toIntExact(graph.vertices())];
            Arrays.fill(found, NONE);
            for (int ordinal = 0; ordinal < found.length; ordinal++) {
                int id = ids.read(ordinal);
                if (id < 0 || id >= found.length || found[id] != NONE) {
                    wrongId = ordinal;
                } else {
                    found[id] = ordinal;
                }
            }
            ordinals = found;
        }
        return wrongId;
    }

    /**
     * Looks up edges until the workers of this node have had all together; none if ids are wrong.
     *
     * @return a vertex in whose row an edge of the input is missing or heavier than there, if there
     *     is one
     */
    long lookUp(Team team, int neighbourBytes) {
        Part[] here = parts.values().toArray(Part[]::new);
        int[] byId = known();
        if (here.length == 0 || byId.length == 0) {
            return NOTHING_WRONG;
        }
        RowReader rows = new RowReader(team.adjacency(), neighbourBytes);
        KroneckerEdges edges = new KroneckerEdges(graph, weighted);
        long missing = NOTHING_WRONG;
        for (long edge = claim(); edge < graph.edges(); edge = claim()) {
            team.check();
            edges.seek(edge);
            for (long end = Math.min(edge + EDGES_PER_CLAIM, graph.edges()); edge < end; edge++) {
                edges.next();
                float weight = weighted ? edges.weight() : 1;
                int source = byId[(int) edges.source()];
                int target = byId[(int) edges.target()];
                if (!hasHalf(here, rows, source, target, weight)) {
                    missing = source;
                }
                if (source != target && !hasHalf(here, rows, target, source, weight)) {
                    missing = target;
                }
            }
        }
        return missing;
    }

    private long claim() {
        return claimed.getAndAdd(EDGES_PER_CLAIM);
    }

    /** Ordinals by id; none if some are wrong. */
    private synchronized int[] known() {
        return ordinals == null || wrongId != NOTHING_WRONG ? new int[0] : ordinals;
    }

    private boolean hasHalf(
            Part[] here, RowReader rows, long vertex, long neighbour, float weight) {
        Part part = partOf(here, vertex);
        return part == null || part.has(rows, vertex, neighbour, weighted, weight);
    }

    private static @Nullable Part partOf(Part[] here, long vertex) {
        int low = 0;
        int high = here.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (here[middle].first <= vertex) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Part part = here[low];
        return vertex >= part.first && vertex < part.end ? part : null;
    }

    /** What is known of a shard. */
    static final class Part {
        private final long first;
        private final long end;
        // Index of each vertex's first row entry among the shard's entries.
        private final int[] offsets;
        // Input edges at each vertex, self-loops not counted.
        private final AtomicIntegerArray degrees;
        // A bit for each row entry that the input has.
        private final AtomicLongArray seen;
        private final LongAdder selfLoops = new LongAdder();

        Part(Shard shard) {
            first = shard.first();
            end = shard.end();
            int count = Math.toIntExact(end - first);
            offsets = new int[count + 1];
            Adjacency rows = shard.adjacency();
            for (int k = 0; k < count; k++) {
                offsets[k + 1] = Math.addExact(offsets[k], rows.degree(first + k));
            }
            degrees = new AtomicIntegerArray(count);
            seen = new AtomicLongArray(Math.ceilDiv(offsets[count], Long.SIZE));
        }

        /** Number of input edges at a vertex, self-loops not counted. */
        int degree(long ordinal) {
            return degrees.get((int) (ordinal - first));
        }

        /** True if the input has all edges of a vertex's row, with their weights. */
        boolean hasSeenRow(long ordinal) {
            int k = (int) (ordinal - first);
            for (int entry = offsets[k]; entry < offsets[k + 1]; entry++) {
                if ((seen.get(entry / Long.SIZE) & (1L << entry)) == 0) {
                    return false;
                }
            }
            return true;
        }

        /** Number of self-loops of the input. */
        long selfLoops() {
            return selfLoops.sum();
        }

        /** Number of entries in all rows. */
        long entries() {
            return offsets[offsets.length - 1];
        }

        private boolean has(
                RowReader rows, long vertex, long neighbour, boolean weighted, float weight) {
            if (vertex == neighbour) {
                selfLoops.increment();
                return true;
            }
            int k = (int) (vertex - first);
            degrees.incrementAndGet(k);
            int degree = offsets[k + 1] - offsets[k];
            int index = rows.indexOf(vertex, neighbour, degree);
            if (index < 0) {
                return false;
            }
            if (weighted) {
                float kept = rows.weight(rows.row(vertex), degree, index);
                if (weight != kept) {
                    return weight > kept; // a heavier one of equal edges is not kept
                }
            }
            int entry = offsets[k] + index;
            seen.getAndAccumulate(entry / Long.SIZE, 1L << entry, (before, bit) -> before | bit);
            return true;
        }
    }
}
