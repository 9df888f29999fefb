package org.starling.compute;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.starling.compute.internal.group.PeerProcess;

/**
 * A peer as a process of its own. Started by {@link ComputeCluster}; ends when its standard input
 * ends, so that it never outlives the process that started it.
 */
public final class PeerMain {
    private PeerMain() {}

    /**
     * Runs a peer.
     *
     * @param arguments host and port of the superpeer, number of worker threads, bytes for chunks
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 4) {
            throw new IllegalArgumentException("expected: host port threads bytes");
        }
        PeerProcess.run(
                new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]));
    }
}
