package org.starling.loaders;

/**
 * A cursor over the edges of a {@link KroneckerGraph}, bit-identical to the generator of the
 * Graph500 reference 3.0.0 and free to start anywhere.
 *
 * <p>Confined to one thread; each thread makes its own. Every edge i has a random state of its own,
 * i·2⁶⁴ steps from the graph's; going from one edge to the next is one product of a matrix and a
 * state, so that an edge costs about {@code scale} draws and 25 multiplications (60 to 100 ns at
 * scale 20). {@link #seek} costs some microseconds.
 */
public final class KroneckerEdges {

    private static final int SPACING_EXPONENT = Long.SIZE;
    private static final RecurrenceMatrix TO_NEXT_EDGE =
            RecurrenceMatrix.ofPowerOfTwo(SPACING_EXPONENT);

    // Draws below the bound are drawn again, so that remainders by 10000 are evenly spread.
    private static final int INITIATOR_UNITS = 10_000;
    private static final int REJECTION_BOUND = (int) (RecursiveGenerator.MODULUS % INITIATOR_UNITS);
    private static final int UNITS_B = 1900;
    private static final int UNITS_C = 1900;
    private static final int UNITS_A = 5700;

    /** Quadrant by remainder: bit 1 is the source's, bit 0 the target's. */
    private static final byte[] QUADRANTS = quadrants();

    private final KroneckerGraph graph;
    private final RecursiveGenerator seeded;
    private final boolean weighted;
    private final Scrambler scrambler;

    // Random state of the edge that next() goes to.
    private long z1;
    private long z2;
    private long z3;
    private long z4;
    private long z5;

    private long source;
    private long target;
    private float weight = 1f;

    /**
     * A cursor before edge 0.
     *
     * @param graph which graph
     * @param weighted whether {@link #weight()} is wanted; edges are the same either way
     */
    public KroneckerEdges(KroneckerGraph graph, boolean weighted) {
        this.graph = graph;
        this.weighted = weighted;
        this.seeded = RecursiveGenerator.seeded(graph.seed1(), graph.seed2());
        this.scrambler = Scrambler.of(seeded, graph.scale());
        seek(0);
    }

    /**
     * Moves before an edge.
     *
     * @param edge its number, not negative; may lie beyond the graph's last
     */
    public void seek(long edge) {
        RecursiveGenerator state = seeded.copy();
        state.skip(0, edge, 0);
        long[] words = state.state();
        z1 = words[0];
        z2 = words[1];
        z3 = words[2];
        z4 = words[3];
        z5 = words[4];
    }

    /** Moves to the next edge. There is always one: the caller counts. */
    public void next() {
        draw(graph.scale());
        long n1 = TO_NEXT_EDGE.dot(0, z1, z2, z3, z4, z5);
        long n2 = TO_NEXT_EDGE.dot(1, z1, z2, z3, z4, z5);
        long n3 = TO_NEXT_EDGE.dot(2, z1, z2, z3, z4, z5);
        long n4 = TO_NEXT_EDGE.dot(3, z1, z2, z3, z4, z5);
        long n5 = TO_NEXT_EDGE.dot(4, z1, z2, z3, z4, z5);
        z1 = n1;
        z2 = n2;
        z3 = n3;
        z4 = n4;
        z5 = n5;
    }

    /** One end of the edge, 0 ≤ id &lt; 2^scale. */
    public long source() {
        return source;
    }

    /** The other end of the edge, 0 ≤ id &lt; 2^scale. */
    public long target() {
        return target;
    }

    /** Weight of the edge, 0 ≤ weight ≤ 1; 1 if none was wanted. */
    public float weight() {
        return weight;
    }

    /**
     * Descends through {@code levels} quadrants. The words are congruent to the generator's, but
     * not reduced: that shortens the chain of dependent instructions. They stay below 2³²: the sum
     * of products stays below 2⁶⁰, and folding it once gives less than 2³¹ + 2²⁹.
     */
    private void draw(int levels) {
        long a = z1;
        long b = z2;
        long c = z3;
        long d = z4;
        long e = z5;
        long from = 0;
        long to = 0;
        for (int level = levels; level > 0; level--) {
            int word;
            do {
                long fresh =
                        RecursiveGenerator.fold(
                                RecursiveGenerator.FIRST_FACTOR * a
                                        + RecursiveGenerator.FIFTH_FACTOR * e);
                e = d;
                d = c;
                c = b;
                b = a;
                a = fresh;
                word = (int) RecursiveGenerator.residue(fresh);
            } while (word < REJECTION_BOUND);
            long quadrant = QUADRANTS[word % INITIATOR_UNITS];
            long fromBit = quadrant >>> 1;
            long toBit = quadrant & 1;
            // 1 if the prefixes are equal and the edge would go below the diagonal: mirror it.
            long difference = from ^ to;
            long equal = ~(difference | -difference) >>> (Long.SIZE - 1);
            long mirror = equal & fromBit & ~toBit;
            from = (from << 1) | (fromBit - mirror);
            to = (to << 1) | (toBit + mirror);
        }
        source = scrambler.scramble(from);
        target = scrambler.scramble(to);
        if (weighted) {
            long fresh =
                    RecursiveGenerator.fold(
                            RecursiveGenerator.FIRST_FACTOR * a
                                    + RecursiveGenerator.FIFTH_FACTOR * e);
            weight = RecursiveGenerator.toFloat(RecursiveGenerator.residue(fresh));
        }
    }

    private static byte[] quadrants() {
        byte[] quadrants = new byte[INITIATOR_UNITS];
        for (int units = 0; units < INITIATOR_UNITS; units++) {
            if (units < UNITS_B) {
                quadrants[units] = 1;
            } else if (units < UNITS_B + UNITS_C) {
                quadrants[units] = 2;
            } else if (units < UNITS_B + UNITS_C + UNITS_A) {
                quadrants[units] = 0;
            } else {
                quadrants[units] = 3;
            }
        }
        return quadrants;
    }
}
