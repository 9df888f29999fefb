package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares are even, and few shards move. */
final class PlacementTest {
    private static long[] ones(int shards) {
        long[] weights = new long[shards];
        Arrays.fill(weights, 1);
        return weights;
    }

    private static Map<Integer, Long> loads(int[] owners, long[] weights) {
        Map<Integer, Long> loads = new TreeMap<>();
        for (int shard = 0; shard < owners.length; shard++) {
            loads.merge(owners[shard], weights[shard], Long::sum);
        }
        return loads;
    }

    @Test
    void givesWhoJoinsAnEvenShareAndMovesNothingElse() {
        int[] owners = IntStream.range(0, 64).map(shard -> 1 + shard / 16).toArray();

        int[] placed = Placement.place(owners, ones(64), new int[] {1, 2, 3, 4, 9}, _ -> false);

        assertThat(loads(placed, ones(64)).values()).allMatch(load -> load == 12 || load == 13);
        assertThat(Placement.moves(owners, placed, ones(64))).isEqualTo(12);
        for (int shard = 0; shard < 64; shard++) {
            assertThat(placed[shard]).isIn(owners[shard], 9);
        }
    }

    @Test
    void sharesOutWhatWhoLeavesHadAndMovesNothingElse() {
        int[] owners = IntStream.range(0, 60).map(shard -> 1 + shard / 15).toArray();

        int[] placed = Placement.place(owners, ones(60), new int[] {1, 2, 4}, node -> node == 3);

        assertThat(loads(placed, ones(60))).isEqualTo(Map.of(1, 20L, 2, 20L, 4, 20L));
        assertThat(Placement.moves(owners, placed, ones(60))).isEqualTo(15);
    }

    @Test
    void changesNothingWhereEverybodyHasAShare() {
        int[] owners = {1, 2, 3, 1, 2, 3, 1};

        assertThat(Placement.place(owners, ones(7), new int[] {1, 2, 3}, _ -> false))
                .isEqualTo(owners);
    }

    @Test
    void leavesOwnersAloneWhoAreNoTakersAndDoNotLeave() {
        int[] owners = {7, 7, 7, 7, 1, 2};

        int[] placed = Placement.place(owners, ones(6), new int[] {1, 2}, _ -> false);

        assertThat(placed).isEqualTo(owners);
    }

    @Test
    void placesNothingWhereNobodyTakes() {
        int[] owners = {3, 3};

        assertThat(Placement.place(owners, ones(2), new int[0], node -> node == 3))
                .isEqualTo(owners);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isEvenUpToTheHeaviestShardForWhateverComes(long seed) {
        Random random = new Random(seed);
        int shards = 1 + random.nextInt(200);
        int[] owners = random.ints(shards, 0, 6).toArray();
        long[] weights = random.longs(shards, 0, 100).toArray();
        int[] takers = {1, 2, 3, 4, 5, 8};

        int[] placed = Placement.place(owners, weights, takers, node -> node == 0);

        Map<Integer, Long> loads = loads(placed, weights);
        Arrays.stream(takers).forEach(taker -> loads.putIfAbsent(taker, 0L));
        long heaviest = Arrays.stream(weights).max().orElse(0);
        assertThat(loads).doesNotContainKey(0);
        assertThat(Collections.max(loads.values()) - Collections.min(loads.values()))
                .as("seed %d", seed)
                .isLessThanOrEqualTo(heaviest);
        assertThat(Placement.place(owners, weights, takers, node -> node == 0)).isEqualTo(placed);
    }
}
