package org.starling.compute.cluster;

import java.net.InetSocketAddress;

/**
 * A way for people into a running cluster. Every superpeer opens those that {@link
 * java.util.ServiceLoader} finds on its class path.
 */
public interface ApiEndpoint {
    /** An open endpoint. */
    interface Open extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Opens it.
     *
     * @param bind where to listen; beyond the loopback only where the cluster's owner said so
     * @param service answers what is asked
     * @param token that whoever asks has to show
     * @throws ClusterException if the port is taken
     */
    Open open(InetSocketAddress bind, ClusterService service, AccessToken token);
}
