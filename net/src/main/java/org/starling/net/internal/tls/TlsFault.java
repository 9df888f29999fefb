package org.starling.net.internal.tls;

import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
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

    /**
     * What a client says of a server.
     *
     * @param authority by which it was judged; null for those that the JDK trusts
     */
    public static String ofServer(SSLException fault, @Nullable Path authority) {
        String message = String.valueOf(fault.getMessage());
        if (cause(fault, CertificateExpiredException.class) != null) {
            return "its certificate has expired; exchange it there (starling keys rotate)";
        }
        if (cause(fault, CertificateNotYetValidException.class) != null) {
            return "its certificate is not valid yet; the clock of one of the two machines is"
                    + " wrong";
        }
        if (isOfNoAuthority(fault)) {
            return authority == null
                    ? "its certificate is signed by nobody whom Java trusts; name the file of the"
                            + " cluster's authority (authority.crt.pem) with --ca"
                    : "its certificate is not signed by an authority in %s".formatted(authority);
        }
        CertificateException other = cause(fault, CertificateException.class);
        if (other != null) {
            return "its certificate is for other names (%s); ask it by one of those, or issue one for this (starling keys issue --for)"
                    .formatted(String.valueOf(other.getMessage()).replaceAll("\\.$", ""));
        }
        if (message.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
            return "it speaks no TLS; ask it by http:// if that is meant";
        }
        if (message.contains("certificate_required")) {
            return "it asks for a certificate; name yours with --certificate";
        }
        int alert = message.indexOf(ALERT);
        return alert >= 0
                ? "it refuses the certificate that was shown (%s)"
                        .formatted(message.substring(alert + ALERT.length()))
                : "TLS failed: " + message;
    }

    /** No way to an authority, or one to somebody of the same name. */
    private static boolean isOfNoAuthority(Throwable fault) {
        CertPathValidatorException invalid = cause(fault, CertPathValidatorException.class);
        return cause(fault, CertPathBuilderException.class) != null
                || (invalid != null && invalid.getReason() == BasicReason.INVALID_SIGNATURE);
    }

    private static <T extends Throwable> @Nullable T cause(Throwable fault, Class<T> kind) {
        Throwable cause = fault;
        while (cause != null && !kind.isInstance(cause)) {
            cause = cause.getCause();
        }
        return cause == null ? null : kind.cast(cause);
    }
}
