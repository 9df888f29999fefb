package org.starling.net.internal.tls;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one sentence why a TLS handshake failed. */
public final class TlsFault {

    /** How the engine reports what the other end has said. */
    private static final String ALERT = "Received fatal alert: ";

    private TlsFault() {}

    /** Whether it was this end that would not go on because of who the other end is. */
    public static boolean isRefusal(SSLException fault) {
        return cause(fault, CertificateException.class) != null;
    }

    /** What happened and, where it can be told, what to do. */
    public static String sentence(SSLException fault) {
        String message = String.valueOf(fault.getMessage());
        if (cause(fault, CertificateExpiredException.class) != null) {
            return "its certificate has expired";
        }
        if (cause(fault, CertificateNotYetValidException.class) != null) {
            return "its certificate is not valid yet";
        }
        if (isOfNoAuthority(fault)) {
            return "its certificate is not signed by an authority that this node knows";
        }
        if (message.contains("Empty client certificate chain")) {
            return "it shows no certificate of an authority that this node knows";
        }
        int alert = message.indexOf(ALERT);
        if (alert >= 0) {
            return "it refuses this node's TLS ("
                    + message.substring(alert + ALERT.length())
                    + "); its log says why";
        }
        return "TLS failed: " + message;
    }

    /** No way to an authority, or one to somebody of the same name. */
    private static boolean isOfNoAuthority(Throwable fault) {
        return cause(fault, CertPathBuilderException.class) != null
                || cause(fault, CertPathValidatorException.class)
                                instanceof CertPathValidatorException invalid
                        && invalid.getReason() == BasicReason.INVALID_SIGNATURE;
    }

    private static @Nullable Throwable cause(Throwable fault, Class<? extends Throwable> kind) {
        Throwable cause = fault;
        while (cause != null && !kind.isInstance(cause)) {
            cause = cause.getCause();
        }
        return cause;
    }
}
