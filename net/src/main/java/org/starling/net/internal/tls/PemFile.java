package org.starling.net.internal.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keys and certificates as PEM. What is wrong with a file is said in one sentence with its name.
 */
public final class PemFile {

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";

    private static final long MAX_BYTES = 1 << 20;
    private static final int LINE_CHARACTERS = 64;
    private static final Pattern SECTION =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private PemFile() {}

    /** All certificates of a file, at least one. */
    public static List<X509Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher section = SECTION.matcher(text(file));
        while (section.find()) {
            if (section.group(1).equals(CERTIFICATE)) {
                certificates.add(decode(bytes(file, section.group(2))));
            }
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + " holds no certificate in PEM");
        }
        return certificates;
    }

    /** Reads a certificate that is no text. */
    public static X509Certificate decode(byte[] encoded) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(encoded));
    }

    /** The private key of a file. */
    public static PrivateKey key(Path file, String algorithm)
            throws IOException, GeneralSecurityException {
        Matcher section = SECTION.matcher(text(file));
        while (section.find()) {
            String label = section.group(1);
            if (label.equals(PRIVATE_KEY)) {
                PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(bytes(file, section.group(2)));
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            }
            if (label.endsWith(PRIVATE_KEY)) {
                throw new IOException(
                        "%s holds a key in the form \"%s\"; expected PKCS#8 without a password, as \"openssl pkcs8 -topk8 -nocrypt\" writes it"
                                .formatted(file, label));
            }
        }
        throw new IOException(file + " holds no private key in PEM");
    }

    /** A certificate as text. */
    public static String certificate(byte[] encoded) {
        return text(CERTIFICATE, encoded);
    }

    /** A private key as text. */
    public static String key(PrivateKey key) {
        return text(PRIVATE_KEY, key.getEncoded());
    }

    private static String text(String label, byte[] encoded) {
        Base64.Encoder lines = Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'});
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, lines.encodeToString(encoded), label);
    }

    private static String text(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException("there is no file " + file + " that can be read");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is too large (at most " + MAX_BYTES + " bytes)");
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(Path file, String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        }
    }
}
