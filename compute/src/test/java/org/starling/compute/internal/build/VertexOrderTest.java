package org.starling.compute.internal.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;

/** Vertices with many edges come first, in the order of ids inside a group. */
final class VertexOrderTest {
    @Test
    void putsGroupsOfGreatDegreesFirstAndKeepsTheOrderInside() {
        int[] degrees = {0, 9, 100, 8, 3, 0, 31, 16, 70, 7};

        // average 8: from 64 on; from 16 to 31; from 8 to 15; from 4 to 7; below 4; 0
        assertThat(ordinals(degrees, 8, 0, degrees.length))
                .containsExactly(8, 4, 0, 5, 7, 9, 2, 3, 1, 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void givesTheSameOrdinalsHoweverManySlavesShareTheWork(int slaves) {
        int[] degrees = new int[1_000];
        Random random = new Random(5);
        Arrays.setAll(degrees, i -> random.nextInt(1 + random.nextInt(5_000)));
        int[] bounds = new int[slaves + 1];
        Arrays.setAll(bounds, i -> i * degrees.length / slaves);

        assertThat(ordinals(degrees, 40, bounds))
                .isEqualTo(ordinals(degrees, 40, 0, degrees.length));
    }

    @Test
    void takesTheLargestDegreesAndAverages() {
        int[] degrees = {1, Integer.MAX_VALUE, -1, 0}; // -1: 2^32 - 1

        assertThat(ordinals(degrees, 1, 0, 4)).containsExactly(2, 0, 1, 3);
        assertThat(ordinals(degrees, 1L << 32, 0, 4)).containsExactly(1, 2, 0, 3);
    }

    @Test
    void sumsEndsOfEdgesByGranuleOfOrdinals() {
        try (VertexOrder order = new VertexOrder(130, 2, 1, Integer.BYTES)) {
            for (int rank = 0; rank < 130; rank++) {
                order.count(rank, rank < 65 ? 1 : 8);
            }
            order.assign(0, 130, firsts(order, 0, 130));

            assertThat(order.endsByGranule(0, 130, 6)).containsExactly(64 * 8, 8 + 63, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 9, 20})
    void addsUpWhatAllWorkersHaveCounted(int workers) throws InterruptedException {
        try (VertexOrder order = new VertexOrder(100, 1, workers, Integer.BYTES)) {
            Thread[] threads = new Thread[workers];
            for (int worker = 0; worker < workers; worker++) {
                int self = worker;
                threads[worker] =
                        Thread.ofPlatform()
                                .start(() -> {
                                    for (int i = 0; i < 100_000; i++) {
                                        order.countRead(self, i % 100);
                                    }
                                });
            }
            for (Thread thread : threads) {
                thread.join();
            }
            order.addUp(0, 40);
            order.addUp(40, 100);

            for (int rank = 0; rank < 100; rank++) {
                assertThat(order.degree(rank)).isEqualTo(1_000 * workers);
            }
        }
    }

    @Test
    void freesItsColumns() {
        long before = NativeMemory.reservedBytes();

        new VertexOrder(100_000, 1, 3, Integer.BYTES).close();

        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    private static long[] firsts(VertexOrder order, long from, long end) {
        long[] firsts = new long[VertexOrder.GROUPS];
        long next = 0;
        long[] sizes = order.groupSizes(from, end);
        for (int group = 0; group < firsts.length; group++) {
            firsts[group] = next;
            next += sizes[group];
        }
        return firsts;
    }

    /** Each slave counts and orders its range; together, as the master lays groups out. */
    private static int[] ordinals(int[] degrees, long average, int... bounds) {
        try (VertexOrder order = new VertexOrder(degrees.length, average, 1, Integer.BYTES)) {
            for (int rank = 0; rank < degrees.length; rank++) {
                order.count(rank, degrees[rank]);
            }
            List<long[]> sizes = new ArrayList<>();
            for (int slave = 0; slave + 1 < bounds.length; slave++) {
                sizes.add(order.groupSizes(bounds[slave], bounds[slave + 1]));
            }
            long next = 0;
            long[][] firsts = new long[sizes.size()][VertexOrder.GROUPS];
            for (int group = 0; group < VertexOrder.GROUPS; group++) {
                for (int slave = 0; slave < firsts.length; slave++) {
                    firsts[slave][group] = next;
                    next += sizes.get(slave)[group];
                }
            }
            for (int slave = 0; slave < firsts.length; slave++) {
                order.assign(bounds[slave], bounds[slave + 1], firsts[slave]);
            }
            int[] ordinals = new int[degrees.length];
            Arrays.setAll(ordinals, rank -> (int) order.ordinal(rank));
            return ordinals;
        }
    }
}
