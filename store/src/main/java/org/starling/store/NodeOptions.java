package org.starling.store;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.net.LoopbackHub;

/**
 * How to start one node. Made by one of the three factories.
 *
 * @param hub the loopback between nodes of one process, or null for Ethernet
 * @param bind where this node listens on Ethernet (port 0: any free one), or null for the loopback
 * @param superpeer where the superpeer listens on Ethernet, or null for the loopback and for the
 *     superpeer itself
 * @param cores processors this node offers for computing, at least 1
 * @param capabilities bit set of what it offers besides; 1 = computes ({@link #COMPUTES}), the
 *     others are for the rooms above
 * @param config sizes and times
 */
public record NodeOptions(
        @Nullable LoopbackHub hub,
        @Nullable InetSocketAddress bind,
        @Nullable InetSocketAddress superpeer,
        int cores,
        long capabilities,
        StoreConfig config) {
    /** The capability of taking part in compute groups. */
    public static final long COMPUTES = 1;

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if they do not fit together
     */
    public NodeOptions {
        Objects.requireNonNull(config, "config");
        if ((hub == null) == (bind == null)) {
            throw new IllegalArgumentException(
                    "a node uses either a loopback hub or an address to bind to");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("a node has at least one core, not " + cores);
        }
    }

    /**
     * A node (superpeer or peer) inside this process.
     *
     * @param hub shared by all nodes of the cluster
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions loopback(LoopbackHub hub, StoreConfig config) {
        return new NodeOptions(hub, null, null, allCores(), COMPUTES, config);
    }

    /**
     * A superpeer on Ethernet.
     *
     * @param bind where it listens
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions ethernetSuperpeer(InetSocketAddress bind, StoreConfig config) {
        return new NodeOptions(null, bind, null, allCores(), COMPUTES, config);
    }

    /**
     * A peer on Ethernet.
     *
     * @param bind where it listens
     * @param superpeer where the superpeer listens
     * @param config sizes and times
     * @return options with all processors
     */
    public static NodeOptions ethernetPeer(
            InetSocketAddress bind, InetSocketAddress superpeer, StoreConfig config) {
        return new NodeOptions(
                null, bind, Objects.requireNonNull(superpeer), allCores(), COMPUTES, config);
    }

    /**
     * With another number of cores.
     *
     * @param count at least 1
     * @return the changed options
     */
    public NodeOptions withCores(int count) {
        return new NodeOptions(hub, bind, superpeer, count, capabilities, config);
    }

    /**
     * With other capabilities.
     *
     * @param bits bit set
     * @return the changed options
     */
    public NodeOptions withCapabilities(long bits) {
        return new NodeOptions(hub, bind, superpeer, cores, bits, config);
    }

    private static int allCores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
