package org.starling.store.internal.directory;

import org.starling.store.NodeInfo;

/** The bits of {@link NodeInfo#capabilities()} that the directory itself looks at. */
public final class Capabilities {
    /** Takes part in compute groups and can be their master. */
    public static final long COMPUTES = 1;

    /** May own zones and back them up. */
    public static final long STORES = 2;

    private Capabilities() {}

    /**
     * Whether a node may own and back up zones.
     *
     * @param node the node
     * @return true if it may
     */
    public static boolean stores(NodeInfo node) {
        return (node.capabilities() & STORES) != 0;
    }

    /**
     * Whether a node can become a backup now.
     *
     * @param node the node
     * @return true if it stores and its disk does not hang
     */
    public static boolean keeps(NodeInfo node) {
        return stores(node) && !node.diskHangs();
    }

    /**
     * Whether a node can be master.
     *
     * @param node the node
     * @return true if it can
     */
    public static boolean computes(NodeInfo node) {
        return (node.capabilities() & COMPUTES) != 0;
    }
}
