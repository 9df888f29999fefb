package org.starling.compute.cluster;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

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
     * @param token that whoever wants figures has to show; null if nobody gets any
     * @throws ClusterException if the port is taken
     */
    Open openMonitor(InetSocketAddress bind, NodeMonitor monitor, @Nullable AccessToken token);
}
