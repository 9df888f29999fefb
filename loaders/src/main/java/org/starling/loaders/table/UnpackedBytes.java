package org.starling.loaders.table;

/**
 * What is unpacked of a group of rows at the same time, with a bound: columns are many, and each
 * may unpack to a lot, even several of them the same bytes of a file. Confined to one thread.
 */
final class UnpackedBytes {
    private static final long MOST_BYTES = 2L << 30;

    /** The part of the heap that one reading may take. */
    private static final int HEAP_PARTS = 4;

    private final long most = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
    private long held;

    /** Takes room for more bytes before they are unpacked. */
    void take(long bytes) {
        held += bytes;
        if (held > most) {
            throw new MalformedTableException(
                    "what is packed in it takes more than %d MiB at once; smaller groups of rows, or pages, are read"
                            .formatted(most >> 20));
        }
    }

    /** Gives room back. */
    void giveBack(long bytes) {
        held -= bytes;
    }
}
