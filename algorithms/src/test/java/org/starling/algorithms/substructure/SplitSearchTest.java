package org.starling.algorithms.substructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SplitSearchTest {
    private static final long SEED = Long.getLong("starling.test.seed", 17L);

    @ParameterizedTest
    @CsvSource({
        "false, false, 1",
        "false, true, 1",
        "true, false, 1",
        "true, true, 1",
        "false, false, 2",
        "true, true, 2"
    })
    void findsAsManyPairsAsTryingAll(boolean directed, boolean connected, int labels) {
        for (long seed = SEED; seed < SEED + 25; seed++) {
            Relation first = random(6, directed, seed);
            Relation second = random(7, directed, seed + 1_000);
            int[][] kinds = {
                SubstructureMeasurement.drawn(6, labels, seed),
                SubstructureMeasurement.drawn(7, labels, seed + 1)
            };
            SplitSearch search = new SplitSearch(first, second, kinds, connected, _ -> {});

            search.search();

            List<int[]> pairs = new ArrayList<>();
            for (int pair = 0; pair < search.size(); pair++) {
                pairs.add(new int[] {search.first(pair), search.second(pair)});
            }
            assertThat(isCommon(first, second, kinds, pairs)).as("seed %d", seed).isTrue();
            assertThat(!connected || isConnected(first, pairs)).as("seed %d", seed).isTrue();
            assertThat(pairs)
                    .as("seed %d", seed)
                    .hasSize(largest(first, second, kinds, connected, 0, new ArrayList<>()));
        }
    }

    @Test
    void pairsAllOfAGraphWithItself() {
        Relation graph = SubstructureMeasurement.random(40, 30, SEED);
        int[][] kinds = {new int[40], new int[40]};
        SplitSearch search = new SplitSearch(graph, graph, kinds, true, _ -> {});

        search.search();

        assertThat(search.size()).isEqualTo(40);
    }

    @Test
    void canBeEnded() {
        Relation first = SubstructureMeasurement.random(60, 30, SEED);
        Relation second = SubstructureMeasurement.random(60, 30, SEED + 1);
        SplitSearch search =
                new SplitSearch(
                        first,
                        second,
                        new int[][] {new int[60], new int[60]},
                        false,
                        _ -> {
                            throw new CancellationException("enough");
                        });

        assertThatThrownBy(search::search).isInstanceOf(CancellationException.class);
    }

    private static Relation random(int vertices, boolean directed, long seed) {
        if (!directed) {
            return SubstructureMeasurement.random(vertices, 40, seed);
        }
        SplittableRandom random = new SplittableRandom(seed);
        long[] ends = new long[24];
        for (int i = 0; i < ends.length; i += 2) {
            ends[i] = random.nextInt(vertices);
            ends[i + 1] = (ends[i] + 1 + random.nextInt(vertices - 1)) % vertices;
        }
        return new Relation(new long[] {vertices - 1}, ends);
    }

    private static int largest(
            Relation first,
            Relation second,
            int[][] kinds,
            boolean connected,
            int next,
            List<int[]> pairs) {
        int best = !connected || isConnected(first, pairs) ? pairs.size() : 0;
        if (next == first.vertices()) {
            return best;
        }
        for (int other = 0; other < second.vertices(); other++) {
            pairs.add(new int[] {next, other});
            if (isCommon(first, second, kinds, pairs)) {
                int found = largest(first, second, kinds, connected, next + 1, pairs);
                best = Math.max(best, found);
            }
            pairs.removeLast();
        }
        return Math.max(best, largest(first, second, kinds, connected, next + 1, pairs));
    }

    private static boolean isCommon(
            Relation first, Relation second, int[][] kinds, List<int[]> pairs) {
        for (int i = 0; i < pairs.size(); i++) {
            int[] one = pairs.get(i);
            if (kinds[0][one[0]] != kinds[1][one[1]]) {
                return false;
            }
            for (int[] other : pairs.subList(0, i)) {
                if (one[0] == other[0]
                        || one[1] == other[1]
                        || first.of(one[0], other[0]) != second.of(one[1], other[1])) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isConnected(Relation graph, List<int[]> pairs) {
        BitSet reached = new BitSet();
        if (!pairs.isEmpty()) {
            reached.set(pairs.getFirst()[0]);
        }
        for (int round = 0; round < pairs.size(); round++) {
            for (int[] one : pairs) {
                for (int[] other : pairs) {
                    if (reached.get(one[0]) && graph.of(one[0], other[0]) != 0) {
                        reached.set(other[0]);
                    }
                }
            }
        }
        return reached.cardinality() == pairs.size();
    }
}
