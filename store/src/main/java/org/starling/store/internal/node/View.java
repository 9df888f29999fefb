package org.starling.store.internal.node;

import java.util.List;
import org.starling.store.NodeInfo;
import org.starling.store.internal.directory.SuperpeerInfo;

/**
 * The members at one moment, as the superpeer tells them. Immutable.
 *
 * @param version greater for a later view
 * @param nodes by ascending id
 * @param superpeers by ascending id, those that are down among them
 */
record View(long version, List<NodeInfo> nodes, List<SuperpeerInfo> superpeers) {
    /** Nobody, before all others. */
    static final View EMPTY = new View(0, List.of());

    View {
        nodes = List.copyOf(nodes);
        superpeers = List.copyOf(superpeers);
    }

    /** That says nothing of superpeers. */
    View(long version, List<NodeInfo> nodes) {
        this(version, nodes, List.of());
    }
}
