package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/** Tables, bitmaps, columns and rows. */
final class GraphPartsTest {
    private long before;

    @BeforeEach
    void remember() {
        before = NativeMemory.reservedBytes();
    }

    @AfterEach
    void leavesNothing() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsTheShardOfEveryOrdinal(long seed) {
        Random random = new Random(seed);
        int shards = 1 + random.nextInt(200);
        long[] firsts = new long[shards + 1];
        int[] owners = new int[shards];
        for (int i = 0; i < shards; i++) {
            owners[i] = random.nextInt(3);
            firsts[i + 1] = firsts[i] + 64L * random.nextInt(random.nextInt(40) + 1);
        }
        ShardTable table = new ShardTable(firsts, owners);

        for (int shard = 0; shard < shards; shard++) {
            for (long ordinal = table.first(shard); ordinal < table.end(shard); ordinal += 21) {
                assertThat(table.shardOf(ordinal)).as("seed %d", seed).isEqualTo(shard);
                assertThat(table.ownerOf(ordinal)).isEqualTo(owners[shard]);
            }
        }
        assertThat(table.count()).isEqualTo(shards);
        int all = 0;
        for (int node = 0; node < 3; node++) {
            all += table.shardsOf(node).length;
        }
        assertThat(all).isEqualTo(shards);
    }

    @Test
    void findsShardsOfFourThousandMillionVertices() {
        long vertices = AdjacencyLayout.MAX_NARROW_VERTICES;
        ShardTable table =
                new ShardTable(
                        new long[] {0, 64, 1L << 31, (1L << 31) + 64, vertices},
                        new int[] {7, 7, 8, 7});

        assertThat(table.shardOf(63)).isZero();
        assertThat(table.shardOf(64)).isEqualTo(1);
        assertThat(table.shardOf((1L << 31) - 1)).isEqualTo(1);
        assertThat(table.ownerOf(1L << 31)).isEqualTo(8);
        assertThat(table.shardOf(vertices - 1)).isEqualTo(3);
        assertThat(table.isOwnedBy(7)).isFalse();
        assertThat(table.shardsOf(7)).containsExactly(0, 1, 3);
        assertThatThrownBy(() -> new ShardTable(new long[] {0, 1}, new int[2]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void setsAndClearsBits() {
        try (Bitmap bits = new Bitmap(200)) {
            assertThat(bits.set(0)).isTrue();
            assertThat(bits.set(0)).isFalse();
            bits.set(63);
            bits.set(63);
            bits.set(64);
            bits.setWord(3, 0xFF);

            assertThat(bits.word(0)).isEqualTo(1 | Long.MIN_VALUE);
            assertThat(bits.get(64) && bits.get(199)).isTrue();
            assertThat(bits.get(65) || bits.get(62)).isFalse();
            bits.clear(0, 2);
            assertThat(bits.word(0) | bits.word(1)).isZero();
            assertThat(bits.word(3)).isEqualTo(0xFF);
            bits.clear(4, 4);
        }
        assertThat(Bitmap.words(0)).isZero();
        assertThat(Bitmap.words(64)).isEqualTo(1);
        assertThat(Bitmap.words(65)).isEqualTo(2);
        assertThat(Bitmap.maskBelow(1, 64)).isZero();
        assertThat(Bitmap.maskBelow(1, 67)).isEqualTo(7);
        assertThat(Bitmap.maskBelow(0, 64)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource(ColumnType.class)
    void fillsWithAnyValue(ColumnType type) {
        long[] values = {0, -1, 1, 0x01010101L, 0x0101010101010101L, Long.MIN_VALUE, 0x7F800000L};
        try (Column column = new Column("c", type, 100)) {
            for (long value : values) {
                long stored =
                        switch (type.width()) {
                            case Byte.BYTES -> (byte) value;
                            case Integer.BYTES -> (int) value;
                            default -> value;
                        };
                column.fill(0, 100, 42);
                column.fill(10, 90, stored);
                column.fill(50, 50, 3);

                for (int v = 0; v < 100; v++) {
                    assertThat(column.get(v))
                            .as("%s filled with %x at %d", type, value, v)
                            .isEqualTo(v < 10 || v >= 90 ? 42 : stored);
                }
            }
        }
    }

    @Test
    void readsValuesAsNumbersAndText() {
        long half = Double.doubleToRawLongBits(-2.5);
        long third = Float.floatToRawIntBits(1.25f);
        assertThat(ColumnType.DOUBLE.asLong(half)).isEqualTo(-2);
        assertThat(ColumnType.DOUBLE.format(half)).isEqualTo("-2.5");
        assertThat(ColumnType.FLOAT.asDouble(third)).isEqualTo(1.25);
        assertThat(ColumnType.FLOAT.format(third)).isEqualTo("1.25");
        assertThat(ColumnType.INT.asDouble(-7)).isEqualTo(-7.0);
        assertThat(ColumnType.LONG.format(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    }

    @ParameterizedTest
    @CsvSource({"4, false", "4, true", "8, false", "8, true"})
    void walksRowsPieceByPiece(int targetBytes, boolean weighted) {
        AdjacencyLayout layout = new AdjacencyLayout(targetBytes, weighted);
        int vertices = 192;
        ShardTable shards = new ShardTable(new long[] {0, 64, 128, 192}, new int[] {1, 2, 1});
        long entriesBytes = vertices * (long) ChunkEntryLayout.ENTRY_BYTES;
        long blocksBytes = 192 << 10;
        long entries = NativeMemory.reserve(entriesBytes);
        long blocks = NativeMemory.reserve(blocksBytes);
        long at = blocks + ChunkEntryLayout.GUARD_BYTES;
        for (int v = 0; v < vertices; v++) {
            int degree = v % 70;
            int bytes = layout.bytes(degree);
            long entry = ChunkEntryLayout.writeHeader(at, bytes);
            NativeMemory.putLong(entries + 8L * v, entry);
            for (int i = 0; i < degree; i++) {
                long row = AdjacencyLayout.targets(entry);
                AdjacencyLayout.store(
                        row + (long) targetBytes * i, targetBytes, target(layout, v, i));
                if (weighted) {
                    NativeMemory.putFloat(row + (long) targetBytes * degree + 4L * i, i + 0.5f);
                }
            }
            at += ChunkEntryLayout.blockBytes(bytes);
        }
        Rows rows =
                new Rows.Builder(shards)
                        .piece(0, entries)
                        .piece(40, entries + 40 * 8)
                        .piece(128, entries + 128 * 8)
                        .build(layout);

        assertThat(rows.hasShard(0) && rows.hasShard(2)).isTrue();
        assertThat(rows.hasShard(1)).isFalse();
        assertThat(rows.pieceEnd(0)).isEqualTo(40);
        assertThat(rows.pieceEnd(40)).isEqualTo(64);
        assertThat(rows.pieceEnd(130)).isEqualTo(192);
        assertThat(rows.entryAddress(150)).isEqualTo(entries + 150 * 8);
        assertThatThrownBy(() -> rows.degree(70)).isInstanceOf(IllegalArgumentException.class);
        checkRows(new RowAdjacency(rows), layout);
        NativeMemory.release(entries, entriesBytes);
        NativeMemory.release(blocks, blocksBytes);
    }

    /**
     * Narrow targets lie beyond 2^31: they are large, not negative. Of wide ones some lie on either
     * side of a multiple of 2^32.
     */
    private static long target(AdjacencyLayout layout, int v, int i) {
        return layout.targetBytes() == AdjacencyLayout.NARROW_BYTES
                ? Integer.toUnsignedLong(-1_000 + 10 * i + v)
                : (5L << 32) - 300 + 10L * i + v;
    }

    private static void checkRows(RowAdjacency adjacency, AdjacencyLayout layout) {
        for (int v : new int[] {0, 1, 39, 40, 63, 128, 191}) {
            int degree = v % 70;
            assertThat(adjacency.degree(v)).isEqualTo(degree);
            for (int i = 0; i < degree; i++) {
                long target = target(layout, v, i);
                assertThat(adjacency.neighbour(v, i)).isEqualTo(target);
                assertThat(adjacency.contains(v, target)).isTrue();
                assertThat(adjacency.contains(v, target + 1)).isFalse();
                assertThat(adjacency.weight(v, i)).isEqualTo(layout.weighted() ? i + 0.5f : 1f);
            }
            assertThat(adjacency.contains(v, 0)).isFalse();
            checkCopies(adjacency, layout, v, degree);
            assertThatThrownBy(() -> adjacency.neighbour(v, degree))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private static void checkCopies(
            RowAdjacency adjacency, AdjacencyLayout layout, int v, int degree) {
        int[] copy = new int[degree + 1];
        if (layout.targetBytes() == AdjacencyLayout.WIDE_BYTES) {
            assertThatThrownBy(() -> adjacency.copy(v, copy, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("8 bytes");
            return;
        }
        assertThat(adjacency.copy(v, copy, 1)).isEqualTo(degree);
        if (degree > 0) {
            assertThat(copy[1]).isEqualTo(-1_000 + v);
            assertThatThrownBy(() -> adjacency.copy(v, new int[degree], 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void sizesChunksByDegree() {
        int[] edgeBytes = {4, 8, 8, 12};
        for (int i = 0; i < edgeBytes.length; i++) {
            AdjacencyLayout layout = new AdjacencyLayout(i < 2 ? 4 : 8, i % 2 == 1);
            assertThat(layout.edgeBytes()).isEqualTo(edgeBytes[i]);
            for (int degree : new int[] {0, 1, 5, 1_000_001, layout.maxDegree()}) {
                assertThat(layout.bytes(degree)).isEqualTo(degree * edgeBytes[i]).isNotNegative();
                assertThat(layout.degree(layout.bytes(degree))).isEqualTo(degree);
            }
        }
        assertThatThrownBy(() -> new AdjacencyLayout(6, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesWideTargetsWhereNarrowOnesDoNotSuffice() {
        assertThat(AdjacencyLayout.targetBytes(0xFFFF_FFFFL, false)).isEqualTo(4);
        assertThat(AdjacencyLayout.targetBytes(1L << 32, false)).isEqualTo(8);
        assertThat(AdjacencyLayout.targetBytes(3, true)).isEqualTo(8);
    }
}
