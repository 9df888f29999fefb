package org.starling.cli.rest;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.starling.compute.cluster.EndpointTls;

/**
 * Gives Jetty the engines of a node's keys, which are looked at for each connection, in the place
 * of those of keys that are read once. Any thread.
 */
final class TlsEngines extends SslContextFactory.Server {
    private final EndpointTls tls;

    TlsEngines(EndpointTls tls) {
        this.tls = tls;
        setSslContext(tls.context()); // asked for at the start
    }

    @Override
    public SSLEngine newSSLEngine() {
        return tls.engine();
    }

    @Override
    public SSLEngine newSSLEngine(String host, int port) {
        return tls.engine();
    }

    @Override
    public SSLEngine newSSLEngine(InetSocketAddress address) {
        return tls.engine();
    }
}
