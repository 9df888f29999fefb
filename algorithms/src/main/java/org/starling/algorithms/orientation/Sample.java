package org.starling.algorithms.orientation;

import org.starling.algorithms.chance.SplitMix;

/**
 * Says which things a checker looks at: those whose hash falls below a bound. Depends on nothing
 * but the thing and the seed, so that the sample is the same whatever the number of peers.
 * Immutable.
 */
public final class Sample {
    private final long seed;

    /** A sample; another seed gives another one. */
    public Sample(long seed) {
        this.seed = SplitMix.at(seed, 0);
    }

    /** True for one of {@code oneIn} keys, on average. */
    public boolean takes(long key, long oneIn) {
        return Long.remainderUnsigned(hash(key), oneIn) == 0;
    }

    /** A hash of {@code key}; sums of hashes hash sets. */
    public long hash(long key) {
        return SplitMix.at(seed, key);
    }
}
