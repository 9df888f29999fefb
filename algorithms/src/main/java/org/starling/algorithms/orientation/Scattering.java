package org.starling.algorithms.orientation;

/**
 * A fixed bijection of 0 … size−1 onto itself that takes neighbouring positions far apart.
 *
 * <p>Work on a rank is done by the shard to whose range of ordinals its position belongs. Dense
 * parts of the graph have consecutive ranks; scattered, every shard gets its share of them. And
 * since the bijection depends on nothing but the size, a shard that has to be computed again does
 * the same work again. (Steps of the golden ratio: Knuth, The Art of Computer Programming 3, 6.4.)
 * Immutable.
 */
public final class Scattering {
    private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

    private final long size;
    private final long step;

    /**
     * @param size number of positions, at most 2<sup>31</sup>
     */
    public Scattering(int size) {
        this.size = size;
        this.step = coprime(size);
    }

    /** What a position is taken to. */
    public int at(long position) {
        return (int) (position * step % size);
    }

    private static long coprime(long size) {
        long candidate = Math.max(1, Math.round(size * GOLDEN_RATIO));
        while (greatestCommonDivisor(candidate, size) != 1) {
            candidate++;
        }
        return candidate;
    }

    private static long greatestCommonDivisor(long left, long right) {
        return right == 0 ? left : greatestCommonDivisor(right, left % right);
    }
}
