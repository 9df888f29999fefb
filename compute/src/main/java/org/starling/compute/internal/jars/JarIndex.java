package org.starling.compute.internal.jars;

import java.util.List;

/**
 * A jar as the store keeps it: this, as JSON in a chunk to which the jar's name leads, and its
 * bytes in chunks with consecutive ids.
 *
 * @param digest of the jar
 * @param name what messages call it
 * @param bytes its length
 * @param firstPiece id of the first chunk of its bytes; 0 while there are none
 * @param complete whether all its bytes are there
 * @param providers names of the classes that its service files name
 */
record JarIndex(
        String digest,
        String name,
        long bytes,
        long firstPiece,
        boolean complete,
        List<String> providers) {
    /** Bytes of each piece but the last. */
    static final int PIECE_BYTES = 4 << 20;

    JarIndex {
        providers = List.copyOf(providers);
    }

    /** Lengths of the pieces. */
    int[] pieces() {
        int count = Math.max(1, Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES));
        int[] sizes = new int[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = (int) Math.min(PIECE_BYTES, bytes - (long) i * PIECE_BYTES);
        }
        return sizes;
    }

    /** The same, whose pieces begin there. */
    JarIndex at(long first) {
        return new JarIndex(digest, name, bytes, first, complete, providers);
    }

    /** The same, with all its bytes there. */
    JarIndex completed() {
        return new JarIndex(digest, name, bytes, firstPiece, true, providers);
    }
}
