package org.starling.store.kit;

/**
 * One operation on one chunk, as its client saw it. Values are unique within a history, so that a
 * read names the write that it saw.
 *
 * @param chunk chunk id
 * @param kind what it did
 * @param value what it wrote or read; {@link #ABSENT} for a remove and for a read that found no
 *     chunk
 * @param begin when it was called, in nanoseconds of one monotonic clock
 * @param end when its answer came; {@link #NEVER} if none came, or one that leaves its effect open
 */
record Operation(long chunk, Kind kind, long value, long begin, long end) {
    /** The value of a chunk that does not exist. */
    static final long ABSENT = -1;

    /** The end of an operation that may take effect at any time after its begin, or not at all. */
    static final long NEVER = Long.MAX_VALUE;

    /** What an operation does. */
    enum Kind {
        /** Gives the chunk a value that it never had. */
        WRITE,
        /** Takes the chunk away. */
        REMOVE,
        /** Looks. */
        READ
    }

    boolean isOpen() {
        return end == NEVER;
    }

    boolean changes() {
        return kind != Kind.READ;
    }

    Operation endingAt(long time) {
        return new Operation(chunk, kind, value, begin, time);
    }
}
