package org.starling.store.internal.directory;

import org.starling.store.NodeInfo;

/**
 * One of the superpeers, up or down.
 *
 * @param node its node id
 * @param host where the others reach it; empty for the in-process loopback, and while that is not
 *     known
 * @param port likewise; 0 then
 * @param state what it is on the way to
 */
public record SuperpeerInfo(int node, String host, int port, State state) {
    private static final int MAX_PORT = 65_535;

    /** From begin to end; some skip one. */
    public enum State {
        /** It gets what the directory has, and counts for nothing yet. */
        JOINING,
        /** It is one of those of whom a majority decides. */
        VOTING,
        /** It is to be none any more. */
        LEAVING
    }

    /**
     * Checks the fields.
     *
     * @throws IllegalArgumentException if one is out of its bounds
     */
    public SuperpeerInfo {
        if (node < 0 || node > Directory.MAX_MEMBER) {
            throw new IllegalArgumentException(
                    "node id " + node + " is not in 0.." + Directory.MAX_MEMBER);
        }
        if (host.length() > NodeInfo.MAX_HOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "host name longer than " + NodeInfo.MAX_HOST_CHARACTERS + " characters");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not in 0.." + MAX_PORT);
        }
    }

    /** The same in another state. */
    SuperpeerInfo with(State newState) {
        return new SuperpeerInfo(node, host, port, newState);
    }
}
