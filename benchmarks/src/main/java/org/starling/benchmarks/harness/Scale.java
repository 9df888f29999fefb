package org.starling.benchmarks.harness;

import java.time.Duration;
import java.util.Arrays;

/**
 * How much a study measures.
 *
 * @param time length of one measurement
 * @param repetitions measurements of each contender, at least two, so that there is a spread
 * @param maxPoints largest number of values taken of each quantity that is varied
 * @param graphScale logarithm of the number of vertices of generated graphs
 */
public record Scale(Duration time, int repetitions, int maxPoints, int graphScale) {

    /** All values; a study takes up to a minute on two cores. */
    public static final Scale FULL = new Scale(Duration.ofMillis(40), 5, Integer.MAX_VALUE, 18);

    /** The ends of each range, for a few seconds: says that it works, not how fast. */
    public static final Scale QUICK = new Scale(Duration.ofMillis(12), 3, 2, 12);

    /** How many times the usual time a contender is warmed up when it is new to a study. */
    private static final int NEW_FACTOR = 10;

    /** The same when it was measured before, if with other sizes or threads. */
    private static final int KNOWN_FACTOR = 3;

    /** Checks that there will be a spread. */
    public Scale {
        if (!time.isPositive() || repetitions < 2 || maxPoints < 1) {
            throw new IllegalArgumentException(
                    "time must be positive, repetitions at least 2 and maxPoints at least 1");
        }
    }

    /** The same with another number of measurements. */
    public Scale withRepetitions(int value) {
        return new Scale(time, value, maxPoints, graphScale);
    }

    /** The same with graphs of another size. */
    public Scale withGraphScale(int value) {
        return new Scale(time, repetitions, maxPoints, value);
    }

    /** How long a contender runs before it is measured. */
    Duration warmUp(boolean isNew) {
        return time.multipliedBy(isNew ? NEW_FACTOR : KNOWN_FACTOR);
    }

    /** As many of the values as fit, spread evenly, with the first and the last among them. */
    public int[] points(int... all) {
        int count = Math.min(all.length, maxPoints);
        int[] points = new int[count];
        for (int i = 0; i < count; i++) {
            points[i] = all[count == 1 ? 0 : i * (all.length - 1) / (count - 1)];
        }
        return points;
    }

    /** The powers of a base from {@code first} to {@code last}, as {@link #points} takes them. */
    public int[] powers(int first, int last, int base) {
        int[] all = new int[Integer.SIZE];
        int count = 0;
        for (long value = first; value <= last; value *= base) {
            all[count++] = (int) value;
        }
        return points(Arrays.copyOf(all, count));
    }
}
