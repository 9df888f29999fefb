package org.starling.store.internal.log;

import java.time.Duration;

/**
 * Sizes and times of the logs of a peer.
 *
 * @param segmentBytes of a file of a log, a multiple of 4096
 * @param flushBytes after so many bytes a block is written; a multiple of 4096, at most a quarter
 *     of a segment
 * @param bufferBytes memory for blocks that wait to be written, of all logs together
 * @param flushDelay after this time a block is written although it is not full and nobody waits
 * @param tagWindow so many last changes of a zone keep the tags of their requests although they
 *     were overtaken
 * @param direct whether to write past the page cache where the file system can
 * @param diskPatience after this time an operation of the disk that has not come back counts as
 *     hung, and the peer keeps no copies until it has
 */
public record LogConfig(
        int segmentBytes,
        int flushBytes,
        long bufferBytes,
        Duration flushDelay,
        int tagWindow,
        boolean direct,
        Duration diskPatience) {
    /** The borders of blocks. */
    public static final int ALIGNMENT = 4096;

    /** The most that a kept tag takes in the log. */
    private static final int TAG_BYTES = 32;

    /** Checks the bounds. */
    public LogConfig {
        checkMultiple("segmentBytes", segmentBytes);
        checkMultiple("flushBytes", flushBytes);
        if (flushBytes > segmentBytes / 4) {
            throw new IllegalArgumentException(
                    "flushBytes " + flushBytes + " is more than a quarter of a segment");
        }
        if (bufferBytes < 4L * flushBytes) {
            throw new IllegalArgumentException(
                    "bufferBytes " + bufferBytes + " holds fewer than 4 blocks");
        }
        if (flushDelay.isNegative() || flushDelay.isZero()) {
            throw new IllegalArgumentException("flushDelay must be positive, not " + flushDelay);
        }
        if (diskPatience.isNegative() || diskPatience.isZero()) {
            throw new IllegalArgumentException(
                    "diskPatience must be positive, not " + diskPatience);
        }
        if (tagWindow < 0 || (long) tagWindow * TAG_BYTES > segmentBytes) {
            throw new IllegalArgumentException(
                    "tagWindow " + tagWindow + " is negative, or its tags do not fit in a segment");
        }
    }

    /**
     * Segments of 8 MiB, blocks of 256 KiB, 64 MiB of buffers, 50 ms; 4 s for the disk.
     *
     * @return what a peer uses unless it is told otherwise
     */
    public static LogConfig defaults() {
        return new LogConfig(
                8 << 20,
                256 << 10,
                64L << 20,
                Duration.ofMillis(50),
                1 << 16,
                true,
                Duration.ofSeconds(4));
    }

    /** With another time for the disk. */
    public LogConfig withDiskPatience(Duration patience) {
        return new LogConfig(
                segmentBytes, flushBytes, bufferBytes, flushDelay, tagWindow, direct, patience);
    }

    private static void checkMultiple(String name, int bytes) {
        if (bytes <= 0 || bytes % ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    name + " " + bytes + " is not a multiple of " + ALIGNMENT);
        }
    }
}
