package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interval map beside an array with one node per id. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class RangeMapTest {
    private static final long SEED = Long.getLong("starling.seed", 99L);
    private static final int IDS = 200;
    private static final int OTHERWISE = 77;

    @Test
    void behavesLikeAnArrayOfNodes() {
        for (long seed = SEED; seed < SEED + 50; seed++) {
            Random random = new Random(seed);
            RangeMap map = new RangeMap();
            int[] model = new int[IDS];
            Arrays.fill(model, RangeMap.NONE);
            for (int step = 0; step < 200; step++) {
                int first = random.nextInt(IDS);
                int last = Math.min(IDS - 1, first + random.nextInt(30));
                int node = random.nextInt(4) - 1;
                if (node == RangeMap.NONE) {
                    map.remove(first, last);
                } else {
                    map.put(new RangeMap.Range(first, last, node));
                }
                Arrays.fill(model, first, last + 1, node);

                check(map, model, seed);
            }
        }
    }

    @Test
    void joinsNeighboursOfTheSameNode() {
        RangeMap map = new RangeMap();

        map.put(new RangeMap.Range(10, 19, 1));
        map.put(new RangeMap.Range(30, 39, 1));
        map.put(new RangeMap.Range(20, 29, 1));

        assertThat(map.ranges()).isEqualTo(List.of(new RangeMap.Range(10, 39, 1)));
    }

    private static void check(RangeMap map, int[] model, long seed) {
        int runs = 0;
        for (int id = 0; id < IDS; id++) {
            assertThat(map.nodeOf(id)).as("seed %d, id %d", seed, id).isEqualTo(model[id]);
            runs += model[id] != RangeMap.NONE && (id == 0 || model[id] != model[id - 1]) ? 1 : 0;
        }
        assertThat(map.size()).as("seed %d: neighbours joined", seed).isEqualTo(runs);
        int id = Math.floorMod((int) seed, IDS);
        int from = id;
        int to = id;
        while (from > 0 && model[from - 1] == model[id]) {
            from--;
        }
        while (to < IDS - 1 && model[to + 1] == model[id]) {
            to++;
        }
        int node = model[id] == RangeMap.NONE ? OTHERWISE : model[id];
        assertThat(map.around(id, 0, IDS - 1, OTHERWISE))
                .as("seed %d", seed)
                .isEqualTo(new RangeMap.Range(from, to, node));
    }
}
