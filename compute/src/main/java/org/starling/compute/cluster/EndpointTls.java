package org.starling.compute.cluster;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.starling.graph.InvalidInputException;
import org.starling.net.TlsOptions;
import org.starling.net.TlsServer;
import org.starling.net.TransportUnavailableException;

/**
 * TLS of an API endpoint: engines with the keys of a node. Its files are looked at when a
 * connection begins, so that other keys are used without a restart. Any thread.
 */
public final class EndpointTls {
    private final TlsServer server;

    /**
     * Reads the files.
     *
     * @param mutual whether those who ask have to show a certificate, too
     * @throws InvalidInputException if they can't be used
     */
    public EndpointTls(TlsOptions files, boolean mutual) {
        try {
            server = new TlsServer(files, mutual);
        } catch (TransportUnavailableException wrong) {
            throw new InvalidInputException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** An engine for a connection that begins now. */
    public SSLEngine engine() {
        return server.engine();
    }

    /** The keys of now. */
    public SSLContext context() {
        return server.context();
    }
}
