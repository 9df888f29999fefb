package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.graph.RowCursor;
import org.starling.net.NativeMemory;

/** Every coding gives back what it was given, and passes over it find what plain rows give. */
final class RowCodingTest {
    private static final long LAST = 0xFFFF_FFFEL;

    static Stream<RowCoding> codings() {
        return Stream.of(new PlainCoding(), new GroupCoding());
    }

    @ParameterizedTest
    @MethodSource("codings")
    void keepsGapsOfEveryLengthUpToTheLastVertex(RowCoding coding) {
        List<long[]> rows = new ArrayList<>();
        rows.add(new long[] {});
        rows.add(new long[] {0});
        rows.add(new long[] {LAST});
        rows.add(new long[] {0, LAST});
        rows.add(new long[] {0, 1, 2, 3, 4, 5, 6, 7, 8});
        for (long gap : new long[] {1, 127, 128, 255, 256, 16_383, 16_384, 65_535, 65_536}) {
            rows.add(new long[] {5, 5 + gap, 6 + gap, 6 + 2 * gap, 7 + 3 * gap});
        }
        rows.add(new long[] {1 << 21, (1 << 21) + (1L << 24), (1L << 28) + 3, 1L << 31, LAST});
        Random random = new Random(7);
        for (int degree = 1; degree < 300; degree += 13) {
            TreeSet<Long> row = new TreeSet<>();
            while (row.size() < degree) {
                row.add(random.nextLong(LAST + 1) >>> random.nextInt(32));
            }
            rows.add(row.stream().mapToLong(Long::longValue).toArray());
        }

        rows.forEach(row -> assertThat(there(coding, row)).isEqualTo(row));
    }

    @ParameterizedTest
    @MethodSource("codings")
    void givesTheSameInEveryPassAsPlainRows(RowCoding coding) {
        long before = NativeMemory.reservedBytes();
        long[][] graph = graph(700);
        long edges = Arrays.stream(graph).mapToLong(row -> row.length).sum();
        PlainCoding plainly = new PlainCoding();
        try (CodedRows plain = CodedRows.read(cursor(graph), graph.length, edges);
                RowPasses passes = new RowPasses(plain)) {
            assertThat(passes.code(plainly)).isTrue();
            assertThat(passes.code(coding)).isTrue();

            for (RowPasses.Pass pass : RowPasses.Pass.values()) {
                assertThat(passes.run(pass, coding)).isEqualTo(passes.run(pass, plainly));
                assertThat(passes.edges(pass)).isBetween(1L, edges);
            }
            assertThat(passes.run(RowPasses.Pass.SWEEP, coding)).isEqualTo(sums(graph));
            assertThat(passes.bytesPerEdge(plainly)).isEqualTo(4);
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    private static long[] there(RowCoding coding, long[] row) {
        long targets = NativeMemory.reserve(4L * row.length + 1);
        for (int i = 0; i < row.length; i++) {
            NativeMemory.putInt(targets + 4L * i, (int) row[i]);
        }
        long bytes = coding.bytes(targets, row.length);
        long to = NativeMemory.reserve(bytes + RowCoding.GUARD_BYTES);
        try {
            assertThat(coding.write(targets, row.length, to)).isEqualTo(to + bytes);
            int[] back = new int[row.length + 4];
            int degree = coding.read(to, to + bytes, back);
            return Arrays.stream(back, 0, degree).mapToLong(Integer::toUnsignedLong).toArray();
        } finally {
            NativeMemory.release(targets, 4L * row.length + 1);
            NativeMemory.release(to, bytes + RowCoding.GUARD_BYTES);
        }
    }

    /** Hubs first, some vertices without neighbours. */
    private static long[][] graph(int vertices) {
        Random random = new Random(11);
        long[][] graph = new long[vertices][];
        for (int vertex = 0; vertex < vertices; vertex++) {
            int degree = vertex % 7 == 3 ? 0 : vertices / (vertex + 1);
            graph[vertex] = random.longs(degree, 0, vertices).distinct().sorted().toArray();
        }
        return graph;
    }

    private static long sums(long[][] graph) {
        long sums = 0;
        for (long[] row : graph) {
            double sum = 0;
            for (long target : row) {
                sum += 1 / (target + Math.PI);
            }
            sums += Double.doubleToRawLongBits(sum);
        }
        return sums;
    }

    private static RowCursor cursor(long[][] graph) {
        return new RowCursor() {
            private int vertex = -1;

            @Override
            public boolean next() {
                return ++vertex < graph.length;
            }

            @Override
            public long ordinal() {
                return vertex;
            }

            @Override
            public long id() {
                return vertex;
            }

            @Override
            public int degree() {
                return graph[vertex].length;
            }

            @Override
            public long target(int index) {
                return graph[vertex][index];
            }

            @Override
            public void close() {}
        };
    }
}
