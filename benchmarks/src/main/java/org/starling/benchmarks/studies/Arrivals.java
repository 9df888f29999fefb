package org.starling.benchmarks.studies;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one receiving thread has got: how many messages, how many bytes, and the sum of their marks,
 * from which a reader sees whether just those came that were sent. Written by that thread, read by
 * any.
 */
final class Arrivals {

    private final AtomicLong messages = new AtomicLong();
    private long bytes;
    private long marks;

    /** What a message carries at its start; a short one only has room for a part of its number. */
    static long mark(long number, int bytes) {
        return bytes >= Long.BYTES ? number : number & 0xFF;
    }

    /** Takes a message in. */
    void take(long mark, int size) {
        bytes += size;
        marks += mark;
        messages.setRelease(messages.getPlain() + 1);
    }

    long messages() {
        return messages.getAcquire();
    }

    /** After {@link #messages}: at least those of so many messages. */
    long bytes() {
        return bytes;
    }

    /** After {@link #messages}: at least those of so many messages. */
    long marks() {
        return marks;
    }
}
