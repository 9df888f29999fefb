package org.starling.compute;

import static org.starling.compute.Rewiring.lot;
import static org.starling.compute.Rewiring.named;
import static org.starling.compute.Rewiring.weight;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What {@link Rewiring} must leave, worked out vertex by vertex and edge by edge. */
final class RewiringModel {
    private final long seed;
    private final boolean directed;
    private final boolean countsIncoming;
    private final boolean weighted;

    /** By id. */
    final TreeMap<Long, Node> nodes = new TreeMap<>();

    private final List<Runnable> edgesGo = new ArrayList<>();
    private final List<Runnable> verticesGo = new ArrayList<>();
    private final TreeSet<Long> comers = new TreeSet<>();
    private final List<Runnable> edgesCome = new ArrayList<>();

    /** A vertex. */
    static final class Node {
        final long id;
        final int since;
        final TreeMap<Long, Float> out = new TreeMap<>();
        long seen = 5;
        @Nullable Node friend;
        long inbox;
        long nextInbox;
        boolean gone;

        Node(long id, int since) {
            this.id = id;
            this.since = since;
        }
    }

    RewiringModel(
            TestEdges edges,
            long seed,
            boolean directed,
            boolean countsIncoming,
            boolean weighted) {
        this.seed = seed;
        this.directed = directed;
        this.countsIncoming = countsIncoming;
        this.weighted = weighted;
        edges.vertices().forEach(id -> nodes.putIfAbsent(id, new Node(id, 0)));
        for (TestEdges.Edge edge : edges.edges()) {
            nodes.putIfAbsent(edge.from(), new Node(edge.from(), 0));
            nodes.putIfAbsent(edge.to(), new Node(edge.to(), 0));
            add(edge.from(), edge.to(), edge.weight());
        }
    }

    RewiringModel run(int steps, boolean goesOn) {
        for (int step = 0; step < steps + (goesOn ? 1 : 0); step++) {
            for (Node node : nodes.values()) {
                act(node, step, steps);
            }
            for (Node node : nodes.values()) {
                node.inbox = node.nextInbox;
                node.nextInbox = 0;
            }
            int next = step + 1;
            edgesGo.forEach(Runnable::run);
            verticesGo.forEach(Runnable::run);
            comers.forEach(id -> nodes.putIfAbsent(id, new Node(id, next)));
            edgesCome.forEach(Runnable::run);
            List.of(edgesGo, verticesGo, edgesCome).forEach(List::clear);
            comers.clear();
        }
        return this;
    }

    private void act(Node v, int step, int steps) {
        double weights = 0;
        for (float weight : v.out.values()) {
            weights += weighted ? weight : 1;
        }
        long value = v.seen * 31 + v.inbox + 7L * v.out.size() + (long) (weights * 4);
        if (countsIncoming) {
            value += 13 * nodes.values().stream().filter(u -> u.out.containsKey(v.id)).count();
        }
        v.seen = value;
        for (long other : v.out.keySet()) {
            Node target = Objects.requireNonNull(nodes.get(other));
            target.nextInbox += v.id * 17 + step;
            if (target.since < step) {
                actOn(v, target, step, steps);
            }
        }
        if (step < steps) {
            change(v.id, lot(seed, step, v.id, -1));
        }
    }

    private void actOn(Node v, Node target, int step, int steps) {
        int lot = lot(seed, step, v.id, target.id);
        if (lot % 4 == 0) {
            target.nextInbox += 3L * lot;
        }
        if (lot % 97 == 1) {
            v.friend = target;
        }
        if (step >= steps) {
            return;
        }
        if (lot % 11 == 2) {
            edgesGo.add(() -> remove(v.id, target.id));
        }
        if (lot % 13 == 3) {
            // by ordinals: if one of the two goes, nobody has these any more
            edgesCome.add(() -> {
                if (!v.gone && !target.gone) {
                    add(target.id, v.id, weight(lot / 13));
                }
            });
        }
        if (lot % 101 == 4) {
            verticesGo.add(() -> remove(target.id));
        }
    }

    private void change(long id, int lot) {
        long named = named(lot / 23);
        switch (lot % 23) {
            case 0 -> addById(id, named, weight(lot / 29));
            case 1 -> addById(named, named(lot / 7), weight(lot / 29));
            case 2 -> edgesGo.add(() -> remove(named, id));
            case 3 -> comers.add(named);
            case 4 -> {
                if (lot % 3 == 0) {
                    verticesGo.add(() -> remove(named));
                }
            }
            case 5 -> {
                if (lot % 4 == 0) {
                    verticesGo.add(() -> remove(id));
                }
            }
            default -> {}
        }
    }

    private void addById(long from, long to, float weight) {
        comers.add(from);
        comers.add(to);
        edgesCome.add(() -> add(from, to, weight));
    }

    private void add(long from, long to, float weight) {
        if (from != to) {
            Objects.requireNonNull(nodes.get(from)).out.merge(to, weight, Math::min);
            if (!directed) {
                Objects.requireNonNull(nodes.get(to)).out.merge(from, weight, Math::min);
            }
        }
    }

    private void remove(long from, long to) {
        if (nodes.containsKey(from) && nodes.containsKey(to)) {
            Objects.requireNonNull(nodes.get(from)).out.remove(to);
            if (!directed) {
                Objects.requireNonNull(nodes.get(to)).out.remove(from);
            }
        }
    }

    private void remove(long id) {
        Node node = nodes.remove(id);
        if (node != null) {
            node.gone = true;
            nodes.values().forEach(other -> other.out.remove(id));
        }
    }

    /** Values by id. */
    SortedMap<Long, String> seen() {
        TreeMap<Long, String> seen = new TreeMap<>();
        nodes.forEach((id, node) -> seen.put(id, Long.toString(node.seen)));
        return seen;
    }

    /** Ids of friends by id; -1 of those who have none, or whose friend has gone. */
    SortedMap<Long, String> friends() {
        TreeMap<Long, String> ids = new TreeMap<>();
        nodes.forEach((id, node) -> {
            Node friend = node.friend;
            ids.put(id, friend == null || friend.gone ? "-1" : Long.toString(friend.id));
        });
        return ids;
    }

    /** Neighbours by id. */
    SortedMap<Long, List<Long>> rows() {
        TreeMap<Long, List<Long>> rows = new TreeMap<>();
        nodes.forEach((id, node) -> rows.put(id, List.copyOf(node.out.keySet())));
        return rows;
    }

    long edges() {
        long stored = nodes.values().stream().mapToLong(node -> node.out.size()).sum();
        return directed ? stored : stored / 2;
    }
}
