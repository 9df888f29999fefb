package org.starling.benchmarks.studies.adjacency;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.starling.net.NativeMemory;

/**
 * The same rows in several codings, and passes over them that give the same whatever the coding.
 * Owned by the thread that made it.
 */
final class RowPasses implements AutoCloseable {
    private final CodedRows plain;
    private final RowBlocks blocks;
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

    /**
     * Passes over some rows.
     *
     * @param plain rows that stay the caller's
     */
    RowPasses(CodedRows plain, RowBlocks blocks) {
        this.plain = plain;
        this.blocks = blocks;
        this.valueBytes = Math.max(1, plain.vertices()) * (long) Double.BYTES;
        this.values = NativeMemory.reserve(valueBytes);
        this.bitBytes = (plain.vertices() / Long.SIZE + 1L) * Long.BYTES;
        this.bits = NativeMemory.reserve(bitBytes);
        for (int vertex = 0; vertex < plain.vertices(); vertex++) {
            NativeMemory.putDouble(values + (long) vertex * Double.BYTES, 1 / (vertex + Math.PI));
        }
        for (long at = 0; at < bitBytes; at += Long.BYTES) {
            NativeMemory.putLong(bits + at, mixed(at));
        }
        this.scannedEdges =
                blocks.sum((_, first, end) -> PlainCoding.scannedEdges(plain, first, end, bits));
    }

    /** Writes the rows in a coding; false if they can't be read back as they were. */
    boolean code(RowCoding coding) {
        CodedRows rows = plain.in(coding, blocks);
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
            case SWEEP -> blocks.sum((_, first, end) -> coding.sums(rows, first, end, values));
            case SCAN -> blocks.sum((_, first, end) -> coding.parents(rows, first, end, bits));
            case BUILD -> {
                try (CodedRows again = plain.in(coding, blocks)) {
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
        coded.clear();
        NativeMemory.release(values, valueBytes);
        NativeMemory.release(bits, bitBytes);
    }

    private CodedRows rows(RowCoding coding) {
        return Objects.requireNonNull(coded.get(coding), "not coded yet");
    }

    /** The finaliser of SplitMix64: half of the bits of its numbers are set. */
    private static long mixed(long number) {
        long z = (number + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
