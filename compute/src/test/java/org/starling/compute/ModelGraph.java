package org.starling.compute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        ids = all.stream().mapToLong(Long::longValue).toArray();
        for (int i = 0; i < ids.length; i++) {
            ordinals.put(ids[i], i);
            out.add(new TreeMap<>());
            in.add(new TreeMap<>());
        }
        for (TestEdges.Edge edge : source.edges()) {
            add(ordinal(edge.from()), ordinal(edge.to()), edge.weight(), directed);
        }
    }

    int vertices() {
        return ids.length;
    }

    int ordinal(long id) {
        return ordinals.getOrDefault(id, -1);
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
