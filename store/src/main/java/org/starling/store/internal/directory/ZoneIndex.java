package org.starling.store.internal.directory;

import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds zones by the nodes that have to do with them and by their last change. Follows from the
 * zones alone, so no snapshot holds it; owned by {@link ZoneTable}. A change costs O(backups x log
 * zones).
 */
final class ZoneIndex {
    private final Map<Integer, SortedSet<Long>> owned = new TreeMap<>();
    private final Map<Integer, SortedSet<Long>> backed = new TreeMap<>();
    private final Map<Integer, SortedSet<Long>> held = new TreeMap<>();

    /** How many zones a node is first backup of. */
    private final TreeMap<Integer, Integer> firsts = new TreeMap<>();

    private final TreeMap<Long, Long> byVersion = new TreeMap<>();

    void add(ZoneRecord zone) {
        add(owned, zone.owner(), zone.id());
        zone.backups().forEach(node -> add(backed, node, zone.id()));
        zone.holders().keySet().forEach(node -> add(held, node, zone.id()));
        if (!zone.backups().isEmpty()) {
            firsts.merge(zone.backups().getFirst(), 1, Integer::sum);
        }
        byVersion.put(zone.version(), zone.id());
    }

    void remove(ZoneRecord zone) {
        remove(owned, zone.owner(), zone.id());
        zone.backups().forEach(node -> remove(backed, node, zone.id()));
        zone.holders().keySet().forEach(node -> remove(held, node, zone.id()));
        if (!zone.backups().isEmpty()) {
            firsts.computeIfPresent(
                    zone.backups().getFirst(), (node, count) -> count == 1 ? null : count - 1);
        }
        byVersion.remove(zone.version());
    }

    /** Copies, so that zones may change while they are walked. */
    SortedSet<Long> involving(int node) {
        TreeSet<Long> zones = new TreeSet<>(ownedBy(node));
        zones.addAll(ownedBy(~node)); // which it hands over
        zones.addAll(backedBy(node));
        zones.addAll(heldBy(node));
        return zones;
    }

    Collection<Integer> owners() {
        return owned.keySet();
    }

    SortedSet<Long> ownedBy(int node) {
        return copy(owned, node);
    }

    SortedSet<Long> backedBy(int node) {
        return copy(backed, node);
    }

    SortedSet<Long> heldBy(int node) {
        return copy(held, node);
    }

    Collection<Long> changedAfter(long version) {
        return byVersion.tailMap(version, false).values();
    }

    /** Whether any zone has to do with a node. */
    boolean knows(int node) {
        return owned.containsKey(node)
                || owned.containsKey(~node)
                || backed.containsKey(node)
                || held.containsKey(node);
    }

    int firsts(int node) {
        return firsts.getOrDefault(node, 0);
    }

    int backups(int node) {
        SortedSet<Long> zones = backed.get(node);
        return zones == null ? 0 : zones.size();
    }

    private static void add(Map<Integer, SortedSet<Long>> map, int node, long zone) {
        map.computeIfAbsent(node, key -> new TreeSet<>()).add(zone);
    }

    private static void remove(Map<Integer, SortedSet<Long>> map, int node, long zone) {
        map.computeIfPresent(
                node,
                (key, zones) -> {
                    zones.remove(zone);
                    return zones.isEmpty() ? null : zones;
                });
    }

    private static SortedSet<Long> copy(Map<Integer, SortedSet<Long>> map, int node) {
        SortedSet<Long> zones = map.get(node);
        return zones == null ? new TreeSet<>() : new TreeSet<>(zones);
    }
}
