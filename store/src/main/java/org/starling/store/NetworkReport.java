package org.starling.store;

import java.util.Objects;
import org.starling.net.NetStatistics;

/**
 * What the network of one node has done since it was opened, and the chunks that it holds now.
 *
 * @param node its id
 * @param transport by what it talks, with the settings in force, for people
 * @param statistics its figures, a snapshot
 * @param chunks of the node, at the same moment
 */
public record NetworkReport(
        int node, String transport, NetStatistics statistics, StoreStatistics chunks) {
    /** Checks the fields. */
    public NetworkReport {
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(statistics, "statistics");
        Objects.requireNonNull(chunks, "chunks");
    }
}
