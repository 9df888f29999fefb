package org.starling.benchmarks.studies;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.starling.graph.RowCursor;
import org.starling.net.NativeMemory;

/**
 * All rows of a graph in native memory, in one coding, one behind the other in the order of
 * ordinals, with 8 bytes per vertex that say where its row is. Cores share them in blocks of about
 * as many neighbours. Owned by whoever made it; readable by all threads once it is there.
 */
final class CodedRows implements AutoCloseable {
    private static final int BLOCKS_PER_CORE = 64;

    private final int vertices;
    private final long edges;
    private final long starts;
    private final long rows;
    private final long rowBytes;

    /** First vertex of each block, and their number behind the last. */
    private final int[] firsts;

    /** Does something with a block of rows and gives a number. */
    @FunctionalInterface
    interface BlockSum {
        long of(int block, int first, int end);
    }

    private CodedRows(int vertices, long edges, long rowBytes, int[] firsts) {
        this.vertices = vertices;
        this.edges = edges;
        this.rowBytes = rowBytes;
        this.firsts = firsts;
        this.starts = NativeMemory.reserve((vertices + 1L) * Long.BYTES);
        this.rows = NativeMemory.reserve(rowBytes + RowCoding.GUARD_BYTES);
        NativeMemory.putLong(startAddress(vertices), rows + rowBytes);
    }

    /** Plain rows of a graph. */
    static CodedRows read(RowCursor cursor, int vertices, long edges) {
        int blocks = Runtime.getRuntime().availableProcessors() * BLOCKS_PER_CORE;
        int[] firsts = new int[blocks + 1];
        CodedRows plain = new CodedRows(vertices, edges, edges * Integer.BYTES, firsts);
        long at = plain.rows;
        int block = 1;
        while (cursor.next()) {
            int vertex = (int) cursor.ordinal();
            while ((at - plain.rows) / Integer.BYTES * blocks >= edges * block && block < blocks) {
                firsts[block++] = vertex;
            }
            NativeMemory.putLong(plain.startAddress(vertex), at);
            for (int i = 0; i < cursor.degree(); i++, at += Integer.BYTES) {
                NativeMemory.putInt(at, (int) cursor.target(i));
            }
        }
        Arrays.fill(firsts, block, blocks + 1, vertices);
        return plain;
    }

    /** The same plain rows in a coding, written by all cores: all lengths first, then all rows. */
    CodedRows in(RowCoding coding) {
        long[] bytes = new long[firsts.length];
        sum((block, first, end) -> bytes[block + 1] = bytes(coding, first, end));
        Arrays.parallelPrefix(bytes, Long::sum);
        CodedRows coded = new CodedRows(vertices, edges, bytes[firsts.length - 1], firsts);
        sum((block, first, end) -> write(coding, first, end, coded, bytes[block]));
        return coded;
    }

    /** True if a coding gives back the rows of other, plain ones. */
    boolean areThose(CodedRows plain, RowCoding coding) {
        int[] mine = new int[(int) Math.min(edges, vertices)];
        int[] theirs = new int[mine.length];
        PlainCoding plainly = new PlainCoding();
        for (int vertex = 0; vertex < vertices; vertex++) {
            int degree = plainly.read(plain.start(vertex), plain.end(vertex), theirs);
            if (coding.read(start(vertex), end(vertex), mine) != degree
                    || !Arrays.equals(mine, 0, degree, theirs, 0, degree)) {
                return false;
            }
        }
        return true;
    }

    /** Adds up the numbers of all blocks. */
    long sum(BlockSum blockSum) {
        return IntStream.range(0, firsts.length - 1)
                .parallel()
                .mapToLong(block -> blockSum.of(block, firsts[block], firsts[block + 1]))
                .sum();
    }

    int vertices() {
        return vertices;
    }

    /** Number of neighbours in all rows. */
    long edges() {
        return edges;
    }

    /** Bytes of all rows, without those that say where each is. */
    long rowBytes() {
        return rowBytes;
    }

    /** Address of a vertex's row. */
    long start(int vertex) {
        return NativeMemory.getLong(startAddress(vertex));
    }

    /** Address behind a vertex's row. */
    long end(int vertex) {
        return NativeMemory.getLong(startAddress(vertex) + Long.BYTES);
    }

    @Override
    public void close() {
        NativeMemory.release(starts, (vertices + 1L) * Long.BYTES);
        NativeMemory.release(rows, rowBytes + RowCoding.GUARD_BYTES);
    }

    private long bytes(RowCoding coding, int first, int end) {
        long bytes = 0;
        for (int vertex = first; vertex < end; vertex++) {
            bytes += coding.bytes(start(vertex), degree(vertex));
        }
        return bytes;
    }

    private long write(RowCoding coding, int first, int end, CodedRows into, long offset) {
        long at = into.rows + offset;
        for (int vertex = first; vertex < end; vertex++) {
            NativeMemory.putLong(into.startAddress(vertex), at);
            at = coding.write(start(vertex), degree(vertex), at);
        }
        return at;
    }

    private int degree(int vertex) {
        return (int) ((end(vertex) - start(vertex)) / Integer.BYTES);
    }

    private long startAddress(int vertex) {
        return starts + (long) vertex * Long.BYTES;
    }
}
