package org.starling.store;

import java.util.Objects;
import org.starling.net.NetStatistics;

/**
 * What the network of one node has done since it was opened.
 *
 * @param node its id
 * @param transport by what it talks, with the settings in force, for people
 * @param statistics its figures, a snapshot
 */
public record NetworkReport(int node, String transport, NetStatistics statistics) {
    /** Checks the fields. */
    public NetworkReport {
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(statistics, "statistics");
    }
}
