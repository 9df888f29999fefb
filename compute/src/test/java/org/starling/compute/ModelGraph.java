package org.starling.compute;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a graph of {@link TestEdges} must look like, made the simple way. */
final class ModelGraph {
    final long[] ids;
    final List<TreeMap<Integer, Float>> out = new ArrayList<>();
    final List<TreeMap<Integer, Float>> in = new ArrayList<>();
    long selfLoops;
    long duplicates;
    private final Map<Long, Integer> ordinals = new TreeMap<>();

    ModelGraph(TestEdges source, boolean directed) {
        TreeSet<Long> all = new TreeSet<>(Long::compareUnsigned);
        all.addAll(source.vertices());
        if (source.isDense()) {
            for (long i = 0; i < source.denseVertices(); i++) {
                all.add(source.firstId() + i);
            }
        }
        for (TestEdges.Edge edge : source.edges()) {
            all.add(edge.from());
            all.add(edge.to());
        }
        ids = inOrder(all, source.edges());
        for (int i = 0; i < ids.length; i++) {
            ordinals.put(ids[i], i);
            out.add(new TreeMap<>());
            in.add(new TreeMap<>());
        }
        for (TestEdges.Edge edge : source.edges()) {
            add(ordinal(edge.from()), ordinal(edge.to()), edge.weight(), directed);
        }
    }

    /**
     * Ids by ordinal: vertices of at least half the average number of edge ends by powers of two of
     * it, the largest first, then the other ones, then those without edges; by id where equal.
     */
    private static long[] inOrder(Set<Long> all, List<TestEdges.Edge> edges) {
        Map<Long, Long> ends = new HashMap<>();
        long total = 0;
        for (TestEdges.Edge edge : edges) {
            if (edge.from() != edge.to()) {
                ends.merge(edge.from(), 1L, Long::sum);
                ends.merge(edge.to(), 1L, Long::sum);
                total += 2;
            }
        }
        long average = Math.max(1, total / Math.max(1, all.size()));
        return all.stream()
                .sorted(Comparator.comparingInt(id -> -power(ends.getOrDefault(id, 0L), average)))
                .mapToLong(Long::longValue)
                .toArray();
    }

    private static int power(long ends, long average) {
        int power = -2;
        if (ends > 0) {
            power = -1;
            for (long halves = 2 * ends / average; halves > 0; halves /= 2) {
                power++;
            }
        }
        return power;
    }

    int vertices() {
        return ids.length;
    }

    int ordinal(long id) {
        return ordinals.getOrDefault(id, -1);
    }

    /** Ids of the neighbours in a row. */
    List<Long> idsOf(Map<Integer, Float> row) {
        return row.keySet().stream().map(ordinal -> ids[ordinal]).toList();
    }

    long storedEdges() {
        return out.stream().mapToLong(TreeMap::size).sum();
    }

    private void add(int from, int to, float weight, boolean directed) {
        if (from == to) {
            selfLoops++;
            return;
        }
        if (out.get(from).containsKey(to)) {
            duplicates++;
        }
        out.get(from).merge(to, weight, Math::min);
        in.get(to).merge(from, weight, Math::min);
        if (!directed) {
            out.get(to).merge(from, weight, Math::min);
            in.get(from).merge(to, weight, Math::min);
        }
    }
}
