package org.starling.net.internal.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.TlsOptions;
import org.starling.net.TransportUnavailableException;

/**
 * The keys of one node, read from files, and engines that use them: TLS 1.3, both ends show a
 * certificate, no session is resumed, so that each connection is judged by the files of its day.
 *
 * <p>Each engine costs a look at the three files; when one of them has changed, all are read again.
 * Files that don't fit together, as in the middle of an exchange, are reported once and leave the
 * keys as they were. Whoever owns it is warned in the log, once a day, when its certificate is
 * about to expire. Any thread.
 */
public final class TlsKeys {

    private static final Logger LOGGER = LogManager.getLogger(TlsKeys.class);
    private static final String PROTOCOL = "TLSv1.3";
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };

    /** Past seven days a session can't have a ticket, and so can't be resumed. */
    private static final int NO_TICKET_SECONDS = 8 * 24 * 3600;

    /** Nobody outside sees the store; it needs some password. */
    private static final char[] NO_PASSWORD = {};

    /** By what a file is known to have changed. */
    private record Stamp(FileTime modified, long bytes, @Nullable Object identity) {
        static final Stamp MISSING = new Stamp(FileTime.fromMillis(0), -1, null);

        static Stamp of(Path file) throws IOException {
            if (!Files.isReadable(file)) {
                return MISSING;
            }
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(found.lastModifiedTime(), found.size(), found.fileKey());
        }
    }

    private static final Duration WARNING_TIME = Duration.ofDays(30);
    private static final Duration WARNING_INTERVAL = Duration.ofDays(1);

    private final TlsOptions options;

    /** When the certificate expires. */
    private Instant end = Instant.MAX;

    private Instant nextWarning = Instant.MAX;
    private List<Stamp> stamps;
    private SSLContext context;

    /**
     * Reads the files.
     *
     * @throws TransportUnavailableException if they can't be used
     */
    public TlsKeys(TlsOptions options) {
        this.options = options;
        try {
            stamps = stampsNow();
            context = load();
        } catch (IOException | GeneralSecurityException e) {
            throw new TransportUnavailableException("TLS can't be used: " + e.getMessage(), e);
        }
    }

    /** An engine for a connection that begins now. */
    public synchronized SSLEngine engine(boolean isClient) {
        reloadIfChanged();
        warnBeforeTheEnd();
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(isClient);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {PROTOCOL});
        parameters.setCipherSuites(CIPHERS);
        parameters.setUseCipherSuitesOrder(true);
        if (!isClient) {
            parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** The keys of now, for those who make engines themselves. */
    public synchronized SSLContext context() {
        return context;
    }

    /**
     * A context that trusts what an authority has signed.
     *
     * @param shown with what it proves itself; null for nothing
     * @param authority a file with one or more certificates in PEM
     */
    public static SSLContext context(KeyManager @Nullable [] shown, Path authority)
            throws IOException, GeneralSecurityException {
        KeyStore authorities = emptyStore();
        for (X509Certificate one : PemFile.certificates(authority)) {
            authorities.setCertificateEntry("authority" + authorities.size(), one);
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        trusted.init(authorities);
        SSLContext made = SSLContext.getInstance(PROTOCOL);
        made.init(shown, trusted.getTrustManagers(), null);
        return made;
    }

    private void warnBeforeTheEnd() {
        Instant now = InstantSource.system().instant();
        if (now.isAfter(nextWarning)) {
            nextWarning = now.plus(WARNING_INTERVAL);
            LOGGER.warn(
                    "{} expires on {}, and nobody will talk to this node after that; exchange it"
                            + " before (starling keys rotate)",
                    options.certificate(),
                    end);
        }
    }

    private void reloadIfChanged() {
        try {
            List<Stamp> now = stampsNow();
            if (now.equals(stamps)) {
                return;
            }
            stamps = now;
            context = load();
            LOGGER.info("TLS uses the new {} from now on", options.certificate());
        } catch (IOException | GeneralSecurityException e) {
            LOGGER.warn("TLS stays with the keys it has: {}", e.getMessage());
        }
    }

    private List<Stamp> stampsNow() throws IOException {
        List<Stamp> found = new ArrayList<>();
        for (Path file : List.of(options.certificate(), options.key(), options.authority())) {
            found.add(Stamp.of(file));
        }
        return found;
    }

    private SSLContext load() throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = PemFile.certificates(options.certificate());
        X509Certificate own = chain.getFirst();
        PrivateKey key = PemFile.key(options.key(), own.getPublicKey().getAlgorithm());
        checkValidity(own);
        checkPair(own.getPublicKey(), key);

        KeyStore keys = emptyStore();
        keys.setKeyEntry("node", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
        KeyManagerFactory shown =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(keys, NO_PASSWORD);

        SSLContext made = context(shown.getKeyManagers(), options.authority());
        made.getServerSessionContext().setSessionTimeout(NO_TICKET_SECONDS);
        end = own.getNotAfter().toInstant();
        nextWarning = end.minus(WARNING_TIME);
        return made;
    }

    private void checkValidity(X509Certificate own) throws GeneralSecurityException {
        try {
            own.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new CertificateExpiredException(
                    options.certificate() + " has expired on " + own.getNotAfter().toInstant());
        }
    }

    private void checkPair(PublicKey shown, PrivateKey kept) throws GeneralSecurityException {
        String algorithm =
                switch (shown.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> shown.getAlgorithm();
                };
        byte[] probe = {1, 2, 3, 4};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(kept);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(probe);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException(
                    options.key() + " is not the key of " + options.certificate());
        }
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
