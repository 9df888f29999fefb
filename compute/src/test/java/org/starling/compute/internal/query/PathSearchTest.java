package org.starling.compute.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths in small graphs in memory, beside all shortest paths compared one by one. */
final class PathSearchTest {
    private static final int BOUND = 1_000_000;

    @ParameterizedTest
    @CsvSource({"40, 60", "40, 120", "200, 260", "200, 1200", "12, 30"})
    void findsTheFirstOfAllShortestPaths(int vertices, int edges) {
        for (long seed = 1; seed <= 40; seed++) {
            boolean directed = seed % 2 == 0;
            Model model = Model.random(seed, vertices, edges, directed);
            Random random = new Random(seed);
            for (int i = 0; i < 20; i++) {
                int source = random.nextInt(vertices);
                int target = random.nextInt(vertices);
                List<Long> expected = model.firstPath(source, target);

                assertThat(path(model.search(true, BOUND).find(source, target)))
                        .as("seed %d, %d to %d", seed, source, target)
                        .isEqualTo(expected);
                assertThat(path(model.search(false, BOUND).find(source, target)))
                        .as("seed %d, %d to %d, forward alone", seed, source, target)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void comesToNoMoreVerticesThanItMay() {
        Model model = Model.random(5, 2_000, 3_000, false);
        for (int bound = 2; bound < 200; bound++) {
            PathSearch.Found found = model.search(true, bound).find(0, 1_999);

            assertThat(found.visited())
                    .isLessThanOrEqualTo(bound + 1); // a meeting is on both sides
            if (found.path() == null) {
                assertThat(found.complete()).isFalse();
            } else {
                assertThat(path(found)).isEqualTo(model.firstPath(0, 1_999));
            }
        }
    }

    @Test
    void saysThatThereIsNoPathOnlyWhenAllIsSearched() {
        Model model = new Model(6, true);
        model.edge(0, 1);
        model.edge(1, 2);
        model.edge(3, 4);

        assertThat(model.search(true, BOUND).find(0, 4))
                .isEqualTo(new PathSearch.Found(null, true, 4));
        assertThat(path(model.search(true, BOUND).find(2, 0))).isNull();
        assertThat(path(model.search(true, BOUND).find(0, 2))).containsExactly(0L, 1L, 2L);
        assertThat(path(model.search(true, 2).find(5, 5))).containsExactly(5L);
    }

    private static @Nullable List<Long> path(PathSearch.Found found) {
        long[] path = found.path();
        return path == null ? null : Arrays.stream(path).boxed().toList();
    }

    /** A graph whose rows ascend. */
    private static final class Model {
        private final List<TreeSet<Integer>> out = new ArrayList<>();
        private final List<TreeSet<Integer>> in = new ArrayList<>();
        private final boolean directed;

        private Model(int vertices, boolean directed) {
            this.directed = directed;
            for (int i = 0; i < vertices; i++) {
                out.add(new TreeSet<>());
                in.add(new TreeSet<>());
            }
        }

        private static Model random(long seed, int vertices, int edges, boolean directed) {
            Model model = new Model(vertices, directed);
            Random random = new Random(seed);
            for (int i = 0; i < edges; i++) {
                model.edge(random.nextInt(vertices), random.nextInt(vertices));
            }
            return model;
        }

        private void edge(int from, int to) {
            out.get(from).add(to);
            in.get(to).add(from);
            if (!directed) {
                out.get(to).add(from);
                in.get(from).add(to);
            }
        }

        private PathSearch search(boolean backwards, int bound) {
            return new PathSearch(this::read, backwards, bound);
        }

        private boolean read(long[] ordinals, boolean incoming, PathSearch.Sink sink) {
            for (int i = 0; i < ordinals.length; i++) {
                for (int neighbour : (incoming ? in : out).get((int) ordinals[i])) {
                    if (!sink.neighbour(i, neighbour)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** By distances to the target: at each step the smallest neighbour that is one nearer. */
        private @Nullable List<Long> firstPath(int source, int target) {
            int[] distance = new int[out.size()];
            Arrays.fill(distance, -1);
            distance[target] = 0;
            List<Integer> queue = new ArrayList<>(List.of(target));
            for (int i = 0; i < queue.size(); i++) {
                int vertex = queue.get(i);
                for (int before : in.get(vertex)) {
                    if (distance[before] < 0) {
                        distance[before] = distance[vertex] + 1;
                        queue.add(before);
                    }
                }
            }
            if (distance[source] < 0) {
                return null;
            }
            List<Long> path = new ArrayList<>(List.of((long) source));
            for (int vertex = source; vertex != target; ) {
                int next = -1;
                for (int neighbour : out.get(vertex)) {
                    if (next < 0 && distance[neighbour] == distance[vertex] - 1) {
                        next = neighbour;
                    }
                }
                path.add((long) next);
                vertex = next;
            }
            return path;
        }
    }
}
