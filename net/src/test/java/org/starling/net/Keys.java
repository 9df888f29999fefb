package org.starling.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.starling.net.internal.tls.CertificateMaker;
import org.starling.net.internal.tls.NodeNames;
import org.starling.net.internal.tls.PemFile;

/** Keys and certificates of test nodes, good and bad ones, in a folder. */
final class Keys {

    private final Instant hourAgo = Instant.now().minus(Duration.ofHours(1));
    private final Instant inAnHour = Instant.now().plus(Duration.ofHours(1));

    /** Made on first use, in a folder that lives as long as this process. */
    private static final class OfAnyNode {
        static final TlsOptions FILES = new Keys(temporary()).issue("any", NodeNames.of(0, 65_535));
    }

    private final Path folder;
    private final CertificateMaker maker;

    /** A fresh authority, which takes the place of an older one in the same folder. */
    Keys(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            maker = new CertificateMaker("test", hourAgo, inAnHour);
            put(folder.resolve("authority"), PemFile.certificate(maker.authority()));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Files with which a node may have any id. */
    static TlsOptions ofAnyNode() {
        return OfAnyNode.FILES;
    }

    /** Files that somebody else, perhaps another process, has issued in a folder. */
    static TlsOptions files(Path folder, String file) {
        return new TlsOptions(
                folder.resolve(file + ".crt"),
                folder.resolve(file + ".key"),
                folder.resolve("authority"));
    }

    /** Files of node {@code id} alone. */
    TlsOptions node(int id) {
        return issue("node" + id, NodeNames.of(id, id));
    }

    /** Files of a node whose certificate has the names. */
    TlsOptions issue(String file, String... names) {
        return issue(file, inAnHour, names);
    }

    /** Files of a node whose certificate has expired. */
    TlsOptions expired(String file, String... names) {
        return issue(file, hourAgo.plusSeconds(1), names);
    }

    /** What somebody else makes of the files: the JDK's own way to TLS. */
    static SSLContext context(TlsOptions files) {
        try {
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, new char[0]);
            authorities.setCertificateEntry("authority", certificate(files.authority()));
            TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
            trusted.init(authorities);
            return context(files, trusted.getTrustManagers());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same with another judge of the other end. */
    static SSLContext context(TlsOptions files, TrustManager... judges) {
        char[] password = {};
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, password);
            Certificate own = certificate(files.certificate());
            String pem = Files.readString(files.key()).replaceAll("-----[A-Z ]+-----", "");
            PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem));
            keys.setKeyEntry(
                    "own",
                    KeyFactory.getInstance("EC").generatePrivate(spec),
                    password,
                    new Certificate[] {own});
            KeyManagerFactory shown =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            shown.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(shown.getKeyManagers(), judges, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private TlsOptions issue(String file, Instant end, String... names) {
        try {
            KeyPair keys = CertificateMaker.freshKeys();
            TlsOptions files = files(folder, file);
            byte[] certificate = maker.sign(file, keys.getPublic(), List.of(names), end);
            put(files.certificate(), PemFile.certificate(certificate));
            put(files.key(), PemFile.key(keys.getPrivate()));
            return files;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static void put(Path file, String text) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(made, text);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("starling-test-keys");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
