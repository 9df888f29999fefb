package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.ShardTable;

/** Cuts: complete, at words, balanced, and the same for any number of slaves. */
final class ShardCutTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void cutsEveryGraphIntoAscendingShardsAtWords(long seed) {
        Random random = new Random(seed);
        long vertices = 1L + random.nextInt(1 << random.nextInt(1, 20));
        int shift = ShardCut.granuleShift(vertices);
        long[] ends = new long[(int) ((vertices + (1L << shift) - 1) >>> shift)];
        Arrays.setAll(ends, i -> i == ends.length / 3 ? 1_000_000 : random.nextInt(5_000));

        ShardCut cut = new ShardCut(vertices, shift, ends);

        long[] firsts = cut.firsts();
        assertThat(firsts[0]).isZero();
        assertThat(firsts[firsts.length - 1]).as("seed %d", seed).isEqualTo(vertices);
        for (int i = 0; i + 1 < firsts.length; i++) {
            assertThat(firsts[i] % 64).isZero();
            assertThat(firsts[i + 1]).as("seed %d shard %d", seed, i).isGreaterThan(firsts[i]);
        }
        assertThat(firsts.length - 1).isGreaterThanOrEqualTo(Math.min(ends.length, 30));
        int[] owners = cut.owners(new int[] {3, 5, 8}, new long[] {0});
        assertThat(owners).hasSize(firsts.length - 1).isSorted();
        assertThat(new ShardTable(firsts, owners).vertices()).isEqualTo(vertices);
    }

    @Test
    void sharesEqualWeightsOutEqually() {
        long vertices = 1 << 16;
        long[] ends = new long[1 << 10];
        Arrays.fill(ends, 640);

        ShardCut cut = new ShardCut(vertices, 6, ends);
        int[] owners = cut.owners(new int[] {1, 2, 3, 4}, new long[] {0});

        assertThat(owners).hasSize(64);
        for (int node = 1; node <= 4; node++) {
            int wanted = node;
            assertThat(Arrays.stream(owners).filter(owner -> owner == wanted).count())
                    .isEqualTo(16);
        }
    }

    @Test
    void sharesEveryRunOutAmongAllNodes() {
        long vertices = 1 << 16;
        long[] ends = new long[1 << 10];
        Arrays.setAll(ends, granule -> granule < 256 ? 64_000 : 640);
        ShardCut cut = new ShardCut(vertices, 6, ends);

        long runStart = 256 * 64;
        int[] owners = cut.owners(new int[] {1, 2}, new long[] {0, runStart});

        long[] firsts = cut.firsts();
        long[][] vertexCounts = new long[3][2];
        for (int shard = 0; shard < owners.length; shard++) {
            vertexCounts[owners[shard]][firsts[shard] < runStart ? 0 : 1] +=
                    firsts[shard + 1] - firsts[shard];
        }
        assertThat(vertexCounts[1][0]).isBetween(7_000L, 9_500L);
        assertThat(vertexCounts[2][0]).isBetween(7_000L, 9_500L);
        assertThat(vertexCounts[1][1]).isBetween(15_000L, 34_000L);
        assertThat(vertexCounts[2][1]).isBetween(15_000L, 34_000L);
    }

    @Test
    void cutsWhereTheEdgesAre() {
        long[] ends = new long[1 << 10];
        for (int i = 0; i < 100; i++) {
            ends[i] = 100_000;
        }

        long[] firsts = new ShardCut(1 << 16, 6, ends).firsts();

        assertThat(Arrays.stream(firsts).filter(first -> first < 100 * 64).count())
                .isGreaterThan(50);
    }

    @Test
    void keepsTheNumberOfGranulesBounded() {
        assertThat(ShardCut.granuleShift(0)).isEqualTo(6);
        assertThat(ShardCut.granuleShift(64L << 20)).isEqualTo(6);
        assertThat(ShardCut.granuleShift((1L << 32) - 1)).isEqualTo(12);
        assertThat(new ShardCut(0, 6, new long[0]).firsts()).containsExactly(0, 0);
    }
}
