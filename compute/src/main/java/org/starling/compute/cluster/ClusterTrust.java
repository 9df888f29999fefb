package org.starling.compute.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.net.TlsClients;
import org.starling.net.TlsOptions;
import org.starling.net.TransportUnavailableException;

/**
 * By what somebody who asks a cluster over https knows its superpeers, and with what they show who
 * they are themselves. Immutable.
 *
 * @param authority a file in PEM with whom to trust; null for those whom Java trusts
 * @param certificate a file in PEM, {@code NAME.crt.pem}, with its key beside it as {@code
 *     NAME.key.pem}; null for none
 */
public record ClusterTrust(@Nullable Path authority, @Nullable Path certificate) {
    /** Whom Java trusts. */
    public static final ClusterTrust USUAL = new ClusterTrust(null, null);

    private static final String CERTIFICATE = ".crt.pem";

    /** The file of the authority that lies in a folder of keys. */
    public static Path authorityIn(Path folder) {
        return folder.resolve("authority.crt.pem");
    }

    /**
     * What a client uses; null for what it uses anyway.
     *
     * @throws InvalidInputException if the files can't be used
     */
    @Nullable SSLContext context() {
        Path trusted = authority;
        Path shown = certificate;
        try {
            if (shown != null) {
                return TlsClients.showing(files(shown, trusted));
            }
            return trusted == null ? null : TlsClients.trusting(trusted);
        } catch (TransportUnavailableException wrong) {
            throw new InvalidInputException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static TlsOptions files(Path certificate, @Nullable Path authority) {
        String name = String.valueOf(certificate.getFileName());
        if (!name.endsWith(CERTIFICATE)) {
            throw new InvalidInputException(
                    "a certificate lies in a file NAME%s, with its key beside it as NAME.key.pem; found %s"
                            .formatted(CERTIFICATE, certificate));
        }
        String key = name.substring(0, name.length() - CERTIFICATE.length()) + ".key.pem";
        Path beside = authorityIn(certificate.resolveSibling(".")).normalize();
        if (authority == null && !Files.exists(beside)) {
            throw new InvalidInputException(
                    "there is no %s; name the file of the cluster's authority".formatted(beside));
        }
        return new TlsOptions(
                certificate,
                certificate.resolveSibling(key),
                authority == null ? beside : authority);
    }
}
