package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.store.NodeInfo;
import org.starling.store.internal.directory.CommandLayout;

/**
 * The members at one moment, as the superpeer tells them. Immutable.
 *
 * @param version greater for a later view
 * @param nodes by ascending id
 */
record View(long version, List<NodeInfo> nodes) {
    /** The fewest bytes that a node takes. */
    private static final int MIN_NODE_BYTES = 13;

    /** Nobody, before all others. */
    static final View EMPTY = new View(0, List.of());

    View {
        nodes = List.copyOf(nodes);
    }

    void write(Exporter out) {
        out.writeLong(version);
        out.writeCompactInt(nodes.size());
        for (NodeInfo node : nodes) {
            out.writeCompactInt(node.id());
            out.writeByte((byte) CommandLayout.number(node.role()));
            out.writeString(node.host());
            out.writeCompactInt(node.port());
            out.writeCompactInt(node.cores());
            out.writeLong(node.capabilities());
            out.writeCompactInt(node.incarnation());
        }
    }

    static View read(Importer in) {
        long version = in.readLong();
        int count = in.readLength(MIN_NODE_BYTES);
        List<NodeInfo> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            try {
                nodes.add(
                        new NodeInfo(
                                in.readCompactInt(),
                                CommandLayout.role(in.readByte()),
                                in.readString(),
                                in.readCompactInt(),
                                in.readCompactInt(),
                                in.readLong(),
                                in.readCompactInt()));
            } catch (IllegalArgumentException e) {
                throw new MalformedMessageException(
                        "bad node in a list of members: " + e.getMessage());
            }
        }
        return new View(version, nodes);
    }
}
