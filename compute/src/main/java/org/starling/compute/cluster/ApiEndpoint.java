package org.starling.compute.cluster;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;

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
     * @param access who may ask
     * @param monitor of the superpeer's own node
     * @throws ClusterException if the port is taken
     */
    Open open(InetSocketAddress bind, ApiService service, ApiAccess access, NodeMonitor monitor);

    /**
     * Opens the little that a peer has of it: how it is, and what it has done.
     *
     * @param bind where to listen
     * @param monitor knows that
     * @param gate knows the tokens by which figures are given
     * @param tls keys with which the endpoint proves who it is; null for none
     * @throws ClusterException if the port is taken
     */
    Open openMonitor(
            InetSocketAddress bind,
            NodeMonitor monitor,
            AccessGate gate,
            @Nullable EndpointTls tls);
}
