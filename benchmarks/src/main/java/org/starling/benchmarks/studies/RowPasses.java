package org.starling.benchmarks.studies;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.starling.net.NativeMemory;

/**
 * The same rows in several codings, and passes over them that give the same whatever the coding.
 * Owned by the thread that made it.
 */
final class RowPasses implements AutoCloseable {
    private static final int SEED = 1;

    private final CodedRows plain;
    private final Map<RowCoding, CodedRows> coded = new LinkedHashMap<>();
    private final long valueBytes;
    private final long values;
    private final long bitBytes;
    private final long bits;
    private final long scannedEdges;

    /** What a pass does. */
    enum Pass {
        /** Adds up a double of each neighbour of each vertex. */
        SWEEP,
        /** Looks for the first neighbour in a random half of the vertices, for the other half. */
        SCAN,
        /** Writes all rows from plain ones. */
        BUILD
    }

    /** Passes over some rows, which stay the caller's. */
    RowPasses(CodedRows plain) {
        this.plain = plain;
        this.valueBytes = Math.max(1, plain.vertices()) * (long) Double.BYTES;
        this.values = NativeMemory.reserve(valueBytes);
        this.bitBytes = (plain.vertices() / Long.SIZE + 1L) * Long.BYTES;
        this.bits = NativeMemory.reserve(bitBytes);
        for (int vertex = 0; vertex < plain.vertices(); vertex++) {
            NativeMemory.putDouble(values + (long) vertex * Double.BYTES, 1 / (vertex + Math.PI));
        }
        Random random = new Random(SEED);
        for (long at = 0; at < bitBytes; at += Long.BYTES) {
            NativeMemory.putLong(bits + at, random.nextLong());
        }
        this.scannedEdges =
                plain.sum((_, first, end) -> PlainCoding.scannedEdges(plain, first, end, bits));
    }

    /** Writes the rows in a coding; false if they can't be read back as they were. */
    boolean code(RowCoding coding) {
        CodedRows rows = plain.in(coding);
        coded.put(coding, rows);
        return rows.areThose(plain, coding);
    }

    /** Bytes of the rows of a coding, per neighbour. */
    double bytesPerEdge(RowCoding coding) {
        return (double) rows(coding).rowBytes() / plain.edges();
    }

    /** Does a pass; gives a number that is the same for all codings. */
    long run(Pass pass, RowCoding coding) {
        CodedRows rows = rows(coding);
        return switch (pass) {
            case SWEEP -> plain.sum((_, first, end) -> coding.sums(rows, first, end, values));
            case SCAN -> plain.sum((_, first, end) -> coding.parents(rows, first, end, bits));
            case BUILD -> {
                try (CodedRows again = plain.in(coding)) {
                    yield again.rowBytes() - rows.rowBytes();
                }
            }
        };
    }

    /** Edges that a pass looks at. */
    long edges(Pass pass) {
        return pass == Pass.SCAN ? scannedEdges : plain.edges();
    }

    @Override
    public void close() {
        coded.values().forEach(CodedRows::close);
        NativeMemory.release(values, valueBytes);
        NativeMemory.release(bits, bitBytes);
    }

    private CodedRows rows(RowCoding coding) {
        return Objects.requireNonNull(coded.get(coding), "not coded yet");
    }
}
