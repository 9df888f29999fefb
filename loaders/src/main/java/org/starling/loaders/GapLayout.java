package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.InvalidInputException;

/**
 * Where things lie in a serialized graph of the GAP Benchmark Suite. Immutable.
 *
 * <pre>
 * 0   directed   1 byte, 0 or 1
 * 1   edges      8 bytes: how many are stored in one direction
 * 9   vertices   8 bytes
 * 17  firsts     8 bytes for each vertex, and 8 more that are the number of edges again
 *     entries    4 bytes for each edge: the target; with weights 8: target, weight
 *     if directed, firsts and entries of incoming edges
 * </pre>
 *
 * @param directed whether edges are directed
 * @param edges number of stored entries
 * @param vertices number of vertices
 * @param weighted whether entries have weights
 */
record GapLayout(boolean directed, long edges, long vertices, boolean weighted) {
    /** Bytes before the firsts. */
    static final int HEADER_BYTES = 17;

    /** Ids are 32-bit numbers and not negative. */
    static final long MAX_VERTICES = 1L << 31;

    private static final long MAX_EDGES = 1L << 42;

    /**
     * Reads the header and compares it with the file's size, which tells whether there are weights.
     *
     * @throws InvalidInputException if they don't go together
     */
    static GapLayout of(TextFile file) throws IOException {
        if (file.isPacked()) {
            throw new InvalidInputException(
                    file.path()
                            + ": a serialized graph is not read compressed, as its parts are looked up (unpack it)");
        }
        if (file.fileBytes() < HEADER_BYTES + Long.BYTES) {
            throw bad(file, "at least %d bytes".formatted(HEADER_BYTES + Long.BYTES));
        }
        try (BinaryFile bytes = BinaryFile.open(file.path())) {
            int directed = bytes.nextByte();
            long edges = bytes.nextLong();
            long vertices = bytes.nextLong();
            if (directed > 1) {
                throw bad(file, "0 or 1 as the first byte, found " + directed);
            }
            if (edges < 0 || edges > MAX_EDGES) {
                throw bad(
                        file,
                        "a number of edges from 0 to %d at byte 1, found %d"
                                .formatted(MAX_EDGES, edges));
            }
            if (vertices < 1 || vertices > MAX_VERTICES) {
                throw bad(
                        file,
                        "a number of vertices from 1 to %d at byte 9, found %d"
                                .formatted(MAX_VERTICES, vertices));
            }
            GapLayout plain = new GapLayout(directed == 1, edges, vertices, false);
            GapLayout weighted = new GapLayout(directed == 1, edges, vertices, true);
            if (file.fileBytes() == plain.fileBytes()) {
                return plain;
            }
            if (file.fileBytes() == weighted.fileBytes()) {
                return weighted;
            }
            throw bad(
                    file,
                    "%d bytes, or %d with weights, for the %d vertices and %d edges that the header says, found %d"
                            .formatted(
                                    plain.fileBytes(),
                                    weighted.fileBytes(),
                                    vertices,
                                    edges,
                                    file.fileBytes()));
        }
    }

    /** Size of a whole file. */
    long fileBytes() {
        long one = firstsBytes() + edges * entryBytes();
        return HEADER_BYTES + (directed ? 2 : 1) * one;
    }

    /** Bytes of an entry. */
    int entryBytes() {
        return weighted ? 2 * Integer.BYTES : Integer.BYTES;
    }

    /** Where the index of a vertex's first edge lies. */
    long firstAt(long vertex) {
        return HEADER_BYTES + vertex * Long.BYTES;
    }

    /** Where an entry of an outgoing edge lies. */
    long entryAt(long edge) {
        return HEADER_BYTES + firstsBytes() + edge * entryBytes();
    }

    private long firstsBytes() {
        return (vertices + 1) * Long.BYTES;
    }

    private static InvalidInputException bad(TextFile file, String expected) {
        return new InvalidInputException(
                "%s: expected %s (is it a serialized graph of GAP, whole and little-endian?)"
                        .formatted(file.path(), expected));
    }
}
