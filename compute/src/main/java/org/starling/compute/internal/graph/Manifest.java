package org.starling.compute.internal.graph;

import java.util.Arrays;

/**
 * What a checkpoint has written, beside the names of things: too much for a commit, so it has a
 * chunk of its own, of numbers of 8 bytes: how many shards there are, the chunk of each, and the
 * histograms.
 *
 * @param chunk the chunk that holds this
 * @param chunks for each shard its first chunk; 0 if the shard is empty
 * @param histograms of a run, for each its length and its counts so far (see {@code Histograms})
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record Manifest(long chunk, long[] chunks, long[] histograms) {
    /** The content of the chunk. */
    public static long[] numbers(long[] chunks, long[] histograms) {
        long[] numbers = new long[1 + chunks.length + histograms.length];
        numbers[0] = chunks.length;
        System.arraycopy(chunks, 0, numbers, 1, chunks.length);
        System.arraycopy(histograms, 0, numbers, 1 + chunks.length, histograms.length);
        return numbers;
    }

    /**
     * Reads what {@link #numbers} made.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Manifest of(long chunk, long[] numbers) {
        if (numbers.length == 0 || numbers[0] < 0 || numbers[0] >= numbers.length) {
            throw new IllegalArgumentException("a manifest of a checkpoint that makes no sense");
        }
        int behindChunks = 1 + (int) numbers[0];
        return new Manifest(
                chunk,
                Arrays.copyOfRange(numbers, 1, behindChunks),
                Arrays.copyOfRange(numbers, behindChunks, numbers.length));
    }
}
