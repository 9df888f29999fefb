package org.starling.loaders;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.graph.InvalidInputException;

/**
 * Edges of a METIS file that do not stand in the lines of both ends with the same weight.
 *
 * <p>Every entry has a hash of its edge, positive in the line of the smaller end and negative in
 * the line of the larger one. If both lines agree for all edges, all hashes add up to 0; if they
 * don't, they do so with a probability of 2⁻⁶⁴. The culprit is then looked for in two more passes:
 * one that adds up hashes in {@link #BUCKETS} buckets, one that keeps the entries of one bucket.
 */
final class MetisAsymmetry {

    private static final int BUCKET_BITS = 16;
    private static final int BUCKETS = 1 << BUCKET_BITS;

    private final TextFile text;
    private final MetisReader reader;

    MetisAsymmetry(TextFile text, MetisReader reader) {
        this.text = text;
        this.reader = reader;
    }

    /** What an entry adds to the sum: the hash of its edge, or its negative; 0 for a self-loop. */
    static long share(long vertex, long neighbour, float weight) {
        if (vertex == neighbour) {
            return 0;
        }
        long hash = hash(vertex, neighbour, weight);
        return vertex < neighbour ? hash : -hash;
    }

    /** Looks for an edge whose lines disagree. */
    InvalidInputException find() throws IOException {
        long[] sums = new long[BUCKETS];
        readAll((vertex, neighbour, weight) -> {
            sums[bucket(vertex, neighbour, weight)] += share(vertex, neighbour, weight);
        });
        int suspect = 0;
        while (suspect < BUCKETS - 1 && sums[suspect] == 0) {
            suspect++;
        }
        int chosen = suspect;
        Map<Edge, Tally> tallies = new LinkedHashMap<>();
        readAll((vertex, neighbour, weight) -> {
            if (vertex != neighbour && bucket(vertex, neighbour, weight) == chosen) {
                tally(tallies, vertex, neighbour, weight);
            }
        });
        for (Map.Entry<Edge, Tally> entry : tallies.entrySet()) {
            if (entry.getValue().smaller != entry.getValue().larger) {
                return complaint(entry.getKey(), entry.getValue());
            }
        }
        return new InvalidInputException(
                text.path() + ": the file changed while it was read (load it again)");
    }

    private void readAll(MetisEntries entries) throws IOException {
        for (int part = 0; part < text.parts(); part++) {
            reader.read(part, entries);
        }
    }

    private InvalidInputException complaint(Edge edge, Tally tally) throws IOException {
        boolean smallerHasMore = tally.smaller > tally.larger;
        long named = smallerHasMore ? edge.larger() : edge.smaller();
        long namer = smallerHasMore ? edge.smaller() : edge.larger();
        return new InvalidInputException(
                ("%s:%d: vertex %d names neighbour %d with weight %s %d time(s), but in line %d"
                                + " vertex %d names %d %d time(s) (both lines must agree)")
                        .formatted(
                                text.path(),
                                reader.lineOf(namer),
                                namer,
                                named,
                                edge.weight(),
                                Math.max(tally.smaller, tally.larger),
                                reader.lineOf(named),
                                named,
                                namer,
                                Math.min(tally.smaller, tally.larger)));
    }

    private static void tally(Map<Edge, Tally> tallies, long vertex, long neighbour, float weight) {
        Edge edge = new Edge(Math.min(vertex, neighbour), Math.max(vertex, neighbour), weight);
        Tally tally = tallies.computeIfAbsent(edge, _ -> new Tally());
        if (vertex < neighbour) {
            tally.smaller++;
        } else {
            tally.larger++;
        }
    }

    private static int bucket(long vertex, long neighbour, float weight) {
        return (int) (hash(vertex, neighbour, weight) >>> (Long.SIZE - BUCKET_BITS));
    }

    private static long hash(long vertex, long neighbour, float weight) {
        long pair = Mix64.mix(Math.min(vertex, neighbour)) + Math.max(vertex, neighbour);
        return Mix64.mix(Mix64.mix(pair) + Float.floatToIntBits(weight));
    }

    /** An edge, its smaller end first. */
    private record Edge(long smaller, long larger, float weight) {}

    /** How often an edge stands in the lines of its ends. */
    private static final class Tally {
        private int smaller;
        private int larger;
    }
}
