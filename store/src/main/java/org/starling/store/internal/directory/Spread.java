package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starling.store.Exposure;
import org.starling.store.NodeInfo;
import org.starling.store.Place;

/**
 * Spreads the copies of zones over failure domains, and tells where they are not spread. Follows
 * from members and zones alone; a part of the {@link ZoneTable} and guarded like it.
 *
 * <p>A node is the better for a further copy the fewer copies there are on its host, then in its
 * rack, and so on outwards; and among equals the fewer zones it backs up. Domains lie within each
 * other, so choosing one after the other in this way puts two copies into one domain only when
 * there is no other domain of that kind left.
 */
final class Spread {
    private final NodeTable nodes;
    private final ZoneIndex index;

    Spread(NodeTable nodes, ZoneIndex index) {
        this.nodes = nodes;
        this.index = index;
    }

    /**
     * The member that would be the next backup, or -1.
     *
     * @param owner of the zone, which is no backup of its own
     * @param listed its backups; first ones are spread over all members, and so are the others
     * @param avoided nodes that it is not to be
     */
    int choose(int owner, List<Integer> listed, Collection<Integer> avoided) {
        boolean first = listed.isEmpty();
        List<Place> taken = places(owner, listed);
        return nodes.members().stream()
                .filter(NodeInfo::keeps)
                .filter(node -> node.id() != owner && !listed.contains(node.id()))
                .filter(node -> !avoided.contains(node.id()))
                .min(
                        Comparator.<NodeInfo>comparingLong(node -> crowd(node.place(), taken))
                                .thenComparingInt(node ->
                                        first ? index.firsts(node.id()) : index.backups(node.id()))
                                .thenComparingInt(NodeInfo::id))
                .map(NodeInfo::id)
                .orElse(-1);
    }

    /** Where the loss of one domain would take all copies of some zones; the widest domain last. */
    List<Exposure> exposures(Collection<ZoneRecord> zones) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (ZoneRecord zone : zones) {
            common(places(zone.owner(), zone.backups()))
                    .forEach(domain -> counts.merge(domain, 1, Integer::sum));
        }
        Set<String> around = new HashSet<>();
        nodes.members()
                .forEach(node -> node.place().domains().stream().skip(1).forEach(around::add));
        List<Exposure> exposures = new ArrayList<>();
        counts.forEach((domain, zonesThere) ->
                exposures.add(new Exposure(domain, !around.contains(domain), zonesThere)));
        exposures.sort(Comparator.comparing(exposure -> !exposure.isHost()));
        return exposures;
    }

    /**
     * How crowded the domains of a place are already, as one number: copies on the host count most,
     * those in each domain around it less.
     */
    static long crowd(Place place, Collection<Place> taken) {
        long crowd = 0;
        List<String> domains = place.domains();
        for (int level = 0; level < Place.MAX_DOMAINS; level++) {
            long there = 0;
            if (level < domains.size()) {
                String domain = domains.get(level);
                there = taken.stream().filter(other -> other.domains().contains(domain)).count();
            }
            crowd = crowd * (ZoneTable.MAX_BACKUPS + 2) + there;
        }
        return crowd;
    }

    /** Of those who are members. */
    private List<Place> places(int owner, List<Integer> backups) {
        List<Place> places = new ArrayList<>();
        nodes.member(owner).ifPresent(node -> places.add(node.place()));
        for (int backup : backups) {
            nodes.member(backup).ifPresent(node -> places.add(node.place()));
        }
        return places;
    }

    private static Set<String> common(List<Place> copies) {
        if (copies.isEmpty()) {
            return Set.of();
        }
        Set<String> common = new HashSet<>(copies.getFirst().domains());
        copies.forEach(copy -> common.retainAll(copy.domains()));
        return common;
    }
}
