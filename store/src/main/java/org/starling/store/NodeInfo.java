package org.starling.store;

import java.util.Objects;

/**
 * One member of the cluster as the directory knows it.
 *
 * @param id node id, 0 to {@link ChunkId#MAX_CREATOR}
 * @param role what it is for
 * @param host host name or address that the others connect to; empty for the in-process loopback
 * @param port TCP port, 0 for the in-process loopback
 * @param cores processors it offers, at least 1
 * @param capabilities bit set of what it offers besides, see {@link NodeOptions#capabilities()}
 * @param incarnation how often the id was handed out before, to nodes that are gone; 0 to {@value
 *     #MAX_INCARNATION}
 * @param place the failure domains that it is in
 */
public record NodeInfo(
        int id,
        Role role,
        String host,
        int port,
        int cores,
        long capabilities,
        int incarnation,
        Place place) {
    /** The longest host name, in characters. */
    public static final int MAX_HOST_CHARACTERS = 255;

    /** The greatest incarnation: a handshake has two bytes for it. */
    public static final int MAX_INCARNATION = 65_535;

    /** The capability of a node that it had better not have: its disk hangs. */
    private static final long DISK_HANGS = 1L << 62;

    /** Another one: it is about to leave. */
    private static final long LEAVES = 1L << 61;

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if one is out of its bounds
     */
    public NodeInfo {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(place, "place");
        if (id < 0 || id > ChunkId.MAX_CREATOR) {
            throw new IllegalArgumentException(
                    "node id " + id + " is not in 0.." + ChunkId.MAX_CREATOR);
        }
        if (host.length() > MAX_HOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "host name longer than " + MAX_HOST_CHARACTERS + " characters");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not in 0..65535");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("a node has at least one core, not " + cores);
        }
        if (incarnation < 0 || incarnation > MAX_INCARNATION) {
            throw new IllegalArgumentException(
                    "incarnation " + incarnation + " is not in 0.." + MAX_INCARNATION);
        }
    }

    /**
     * The first that has its id.
     *
     * @param id node id
     * @param role what it is for
     * @param host where the others connect to
     * @param port likewise
     * @param cores processors it offers
     * @param capabilities bit set of what it offers besides
     */
    public NodeInfo(int id, Role role, String host, int port, int cores, long capabilities) {
        this(id, role, host, port, cores, capabilities, 0);
    }

    /**
     * One of whose place nothing is known.
     *
     * @param id node id
     * @param role what it is for
     * @param host where the others connect to
     * @param port likewise
     * @param cores processors it offers
     * @param capabilities bit set of what it offers besides
     * @param incarnation how often the id was handed out before
     */
    public NodeInfo(
            int id,
            Role role,
            String host,
            int port,
            int cores,
            long capabilities,
            int incarnation) {
        this(id, role, host, port, cores, capabilities, incarnation, Place.UNKNOWN);
    }

    /**
     * Whether its disk hangs, so that it keeps no copies for others.
     *
     * @return true while the node says so
     */
    public boolean diskHangs() {
        return (capabilities & DISK_HANGS) != 0;
    }

    /**
     * Whether somebody has asked it to leave, so that it gets no new work and no new copies.
     *
     * @return true from then on
     */
    public boolean isLeaving() {
        return (capabilities & LEAVES) != 0;
    }

    /**
     * Whether it may own zones and back them up.
     *
     * @return true if it stores
     */
    public boolean stores() {
        return (capabilities & NodeOptions.STORES) != 0;
    }

    /**
     * Whether it can become a backup now.
     *
     * @return true if it stores, its disk does not hang, and it is not about to leave
     */
    public boolean keeps() {
        return stores() && !diskHangs() && !isLeaving();
    }

    /**
     * Whether it takes part in compute groups and can be their master.
     *
     * @return true if it computes
     */
    public boolean computes() {
        return (capabilities & NodeOptions.COMPUTES) != 0;
    }

    /**
     * The same node with another disk.
     *
     * @param hangs whether that hangs
     * @return the changed description
     */
    public NodeInfo withDiskHanging(boolean hangs) {
        return with(DISK_HANGS, hangs);
    }

    /**
     * The same node, about to leave or not.
     *
     * @param leaves whether it is
     * @return the changed description
     */
    public NodeInfo withLeaving(boolean leaves) {
        return with(LEAVES, leaves);
    }

    private NodeInfo with(long capability, boolean has) {
        return new NodeInfo(
                id,
                role,
                host,
                port,
                cores,
                has ? capabilities | capability : capabilities & ~capability,
                incarnation,
                place);
    }

    /**
     * Where the node can be reached.
     *
     * @return {@code host:port}, or {@code in-process}
     */
    public String address() {
        return host.isEmpty() ? "in-process" : host + ':' + port;
    }
}
