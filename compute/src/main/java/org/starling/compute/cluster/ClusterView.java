package org.starling.compute.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.RecordJson;

/**
 * A cluster as its directory sees it.
 *
 * @param clusterId its number in hexadecimal digits, which its data directories bear
 * @param leader superpeer that leads, -1 while there is none
 * @param master peer that leads jobs, -1 while there is none
 * @param nodes members
 * @param absent superpeers that are down, or cut off
 * @param zones zones in all
 * @param underReplicated zones with fewer backups than are wanted
 * @param lost zones without a good copy
 * @param orphaned zones whose owner was lost and that nobody serves yet
 * @param exposures failure domains whose loss alone would take all live copies of some zones, hosts
 *     first
 * @param promise one sentence about what data survives
 */
public record ClusterView(
        String clusterId,
        int leader,
        int master,
        List<Node> nodes,
        List<Absent> absent,
        int zones,
        int underReplicated,
        int lost,
        int orphaned,
        List<Exposure> exposures,
        String promise) {
    /**
     * A member.
     *
     * @param node its id
     * @param role {@code superpeer} or {@code peer}
     * @param address where it listens
     * @param cores that it computes with
     * @param diskHangs whether its disk does not answer, so that it keeps no copies for others
     * @param group compute group of a peer; null of superpeers
     * @param leaving whether it was asked to leave, and does when no job needs it
     * @param zone the failure domains that a peer is in, like {@code rack7/host3}; null if nothing
     *     is known
     */
    public record Node(
            int node,
            String role,
            String address,
            int cores,
            boolean diskHangs,
            @Nullable String group,
            boolean leaving,
            @Nullable String zone) {}

    /**
     * A superpeer that is no member now.
     *
     * @param node its id
     * @param address where the others look for it; empty if that is not known
     * @param votes whether the others count on it; one that was taken in and has never started has
     *     no vote yet
     */
    public record Absent(int node, String address, boolean votes) {}

    /**
     * A failure domain that has all live copies of something.
     *
     * @param domain its name, with those of the domains around it
     * @param host whether it is one host
     * @param zones how many zones have all their copies there
     */
    public record Exposure(String domain, boolean host, int zones) {}

    /** Copies the lists. */
    public ClusterView {
        nodes = List.copyOf(nodes);
        absent = List.copyOf(absent);
        exposures = List.copyOf(exposures);
    }

    /** Whether every zone has all the copies that are wanted. */
    public boolean allReplicated() {
        return underReplicated == 0 && lost == 0 && orphaned == 0;
    }

    /** As a JSON tree. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(this);
        tree.put("allReplicated", allReplicated());
        return tree;
    }
}
