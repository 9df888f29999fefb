package org.starling.algorithms.orientation;

/**
 * Says which things a checker looks at: those whose hash falls below a bound. Depends on nothing
 * but the thing and the seed, so that the sample is the same whatever the number of peers.
 * Immutable.
 */
public final class Sample {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final long seed;

    /** A sample; another seed gives another one. */
    public Sample(long seed) {
        this.seed = mix(seed + GOLDEN_GAMMA);
    }

    /** True for one of {@code oneIn} keys, on average. */
    public boolean takes(long key, long oneIn) {
        return Long.remainderUnsigned(hash(key), oneIn) == 0;
    }

    /** A hash of {@code key}; sums of hashes hash sets. */
    public long hash(long key) {
        return mix(seed + (key + 1) * GOLDEN_GAMMA);
    }

    /** The finisher of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
