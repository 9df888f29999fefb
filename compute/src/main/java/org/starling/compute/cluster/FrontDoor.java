package org.starling.compute.cluster;

import java.net.InetSocketAddress;

/**
 * A way for people into a running cluster. Every superpeer opens those that {@link
 * java.util.ServiceLoader} finds on its class path.
 */
public interface FrontDoor {
    /** An open door. */
    interface Open extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Opens it.
     *
     * @param bind where to listen, on the loopback
     * @param desk answers what is asked
     * @param token that whoever asks has to show
     * @throws ClusterException if the port is taken
     */
    Open open(InetSocketAddress bind, ClusterDesk desk, AccessToken token);
}
