package org.starling.net;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.starling.net.internal.tls.TlsFault;
import org.starling.net.internal.tls.TlsKeys;

/** The client's end of TLS for those who speak another protocol than this library's. */
public final class TlsClients {
    private TlsClients() {}

    /**
     * Trusts what an authority has signed, and shows no certificate.
     *
     * @param authority a file with one or more certificates in PEM
     * @throws TransportUnavailableException if it can't be used
     */
    public static SSLContext trusting(Path authority) {
        try {
            return TlsKeys.context(null, authority);
        } catch (IOException | GeneralSecurityException e) {
            throw new TransportUnavailableException("TLS can't be used: " + e.getMessage(), e);
        }
    }

    /**
     * The same, and shows a certificate.
     *
     * @throws TransportUnavailableException if the files can't be used
     */
    public static SSLContext showing(TlsOptions files) {
        return new TlsKeys(files).context();
    }

    /**
     * What a failed handshake with a server means, in a sentence that begins with the server.
     *
     * @param authority by which it was judged; null for those that the JDK trusts
     */
    public static String sentence(SSLException fault, @Nullable Path authority) {
        return TlsFault.ofServer(fault, authority);
    }
}
