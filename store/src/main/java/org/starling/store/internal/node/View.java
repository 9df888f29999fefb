package org.starling.store.internal.node;

import java.util.List;
import org.starling.store.NodeInfo;

/**
 * The members at one moment, as the superpeer tells them. Immutable.
 *
 * @param version greater for a later view
 * @param nodes by ascending id
 */
record View(long version, List<NodeInfo> nodes) {
    /** Nobody, before all others. */
    static final View EMPTY = new View(0, List.of());

    View {
        nodes = List.copyOf(nodes);
    }
}
