package org.starling.net;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.starling.net.internal.tls.TlsKeys;

/**
 * The server's end of TLS 1.3 for those who speak another protocol than this library's: engines
 * that use a node's files, which are looked at when a connection begins, as {@link TlsOptions}
 * says. Any thread.
 */
public final class TlsServer {
    private final TlsKeys keys;
    private final boolean demandsCertificates;

    /**
     * Reads the files.
     *
     * @param demandsCertificates whether clients have to show a certificate of the authority, too
     * @throws TransportUnavailableException if they can't be used
     */
    public TlsServer(TlsOptions files, boolean demandsCertificates) {
        this.keys = new TlsKeys(files);
        this.demandsCertificates = demandsCertificates;
    }

    /** An engine for a connection that begins now. */
    public SSLEngine engine() {
        SSLEngine engine = keys.engine(false);
        engine.setNeedClientAuth(demandsCertificates);
        return engine;
    }

    /** The keys of now. */
    public SSLContext context() {
        return keys.context();
    }
}
