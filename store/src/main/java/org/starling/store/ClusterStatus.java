package org.starling.store;

import java.util.List;

/**
 * How the cluster is, as its leading superpeer sees it.
 *
 * @param leader node id of the leading superpeer
 * @param nodes the members by ascending id
 * @param absent superpeers that are no members now, by ascending id
 * @param master node that runs jobs, or −1
 * @param zones all zones
 * @param underReplicated zones with fewer backups than wanted, or than there can be while fewer
 *     peers are up
 * @param lost zones without any copy that could be recovered now
 * @param orphaned zones whose owner was lost and which are being recovered
 * @param clusterId chosen when the cluster was founded
 * @param exposures failure domains, hosts first, whose loss alone would take all live copies of
 *     some zones
 */
public record ClusterStatus(
        int leader,
        List<NodeInfo> nodes,
        List<AbsentSuperpeer> absent,
        int master,
        int zones,
        int underReplicated,
        int lost,
        int orphaned,
        long clusterId,
        List<Exposure> exposures) {
    /** Copies the lists. */
    public ClusterStatus {
        nodes = List.copyOf(nodes);
        absent = List.copyOf(absent);
        exposures = List.copyOf(exposures);
    }

    /**
     * Whether everything has as many copies as wanted, or as there can be while fewer peers are up.
     *
     * @return true if no zone is under-replicated, orphaned or lost
     */
    public boolean allReplicated() {
        return underReplicated == 0 && lost == 0 && orphaned == 0;
    }

    /**
     * How many zones have all their live copies on one host, or in one domain around hosts.
     *
     * @param onOneHost which of the two
     * @return each of them counts once, however many domains there are around it
     */
    public int exposedZones(boolean onOneHost) {
        return exposures.stream()
                .filter(each -> each.isHost() == onOneHost)
                .filter(each -> onOneHost || Place.isOutermost(each.domain()))
                .mapToInt(Exposure::zones)
                .sum();
    }
}
