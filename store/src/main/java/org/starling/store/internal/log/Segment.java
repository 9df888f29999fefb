package org.starling.store.internal.log;

/** One file of a log: a {@link MarkLayout} page, then blocks. Guarded by the log's lock. */
final class Segment {
    /** Stands for none. */
    static final Segment NONE = new Segment(0);

    private static final int RADIX = 16;
    private static final int DIGITS = 8;
    private static final String SUFFIX = ".log";

    private final int number;
    private long allocatedBytes = MarkLayout.PAGE_BYTES;
    private long writtenBytes = MarkLayout.PAGE_BYTES;

    /** Highest position of a STREAM block in it, −1 while it has none. */
    private long streamEnd = -1;

    Segment(int number) {
        this.number = number;
    }

    /** The number in a file's name; −1 when it is no segment's. */
    static int numberOf(String name) {
        if (name.length() != DIGITS + SUFFIX.length() || !name.endsWith(SUFFIX)) {
            return -1;
        }
        try {
            return Integer.parseInt(name, 0, DIGITS, RADIX);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static String nameOf(int number) {
        return "%08x%s".formatted(number, SUFFIX);
    }

    String fileName() {
        return nameOf(number);
    }

    /** Takes the next bytes of the file. */
    long allocate(int bytes) {
        long at = allocatedBytes;
        allocatedBytes += bytes;
        return at;
    }

    /** Notes what has been written, from the front on. */
    void written(long toOffset) {
        writtenBytes = toOffset;
    }

    /** Whether blocks of it are in the file. */
    boolean holdsBlocks() {
        return writtenBytes > MarkLayout.PAGE_BYTES;
    }

    /** Whether blocks of it are in the file, or will be. */
    boolean isBegun() {
        return allocatedBytes > MarkLayout.PAGE_BYTES;
    }

    /** Notes that changes up to a position lie in it. */
    void streamed(long end) {
        streamEnd = Math.max(streamEnd, end);
    }

    int number() {
        return number;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    long streamEnd() {
        return streamEnd;
    }
}
