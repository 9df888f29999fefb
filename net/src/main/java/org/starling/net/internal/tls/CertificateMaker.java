package org.starling.net.internal.tls;

import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * Makes certificates (X.509 version 3, RFC 5280) that one authority signs, with ECDSA on P-256 and
 * SHA-256. The JDK reads certificates and makes none; what is needed of that is these few lines,
 * less than a library's worth. Thread-safe.
 */
public final class CertificateMaker {

    private static final int SERIAL_BITS = 127;
    private static final int VERSION_3 = 2;

    private static final byte[] ECDSA_WITH_SHA256 =
            Der.sequence(Der.identifier(1, 2, 840, 10045, 4, 3, 2));
    private static final byte[] BASIC_CONSTRAINTS = Der.identifier(2, 5, 29, 19);
    private static final byte[] KEY_USAGE = Der.identifier(2, 5, 29, 15);
    private static final byte[] ALTERNATIVE_NAMES = Der.identifier(2, 5, 29, 17);

    private static final byte[] MAY_SIGN_CERTIFICATES = Der.bits(2, new byte[] {0x04});
    private static final byte[] MAY_SIGN = Der.bits(7, new byte[] {(byte) 0x80});

    private final SecureRandom random = new SecureRandom();
    private final X500Principal name;
    private final PrivateKey key;
    private final Instant notBefore;
    private final byte[] certificate;

    /** A fresh authority, valid from {@code notBefore} to {@code notAfter}. */
    public CertificateMaker(String name, Instant notBefore, Instant notAfter)
            throws GeneralSecurityException {
        KeyPair keys = freshKeys();
        this.name = new X500Principal("CN=" + name);
        this.key = keys.getPrivate();
        this.notBefore = notBefore;
        byte[] isAuthority = Der.sequence(Der.yes(), Der.integer(BigInteger.ZERO));
        this.certificate =
                certificate(
                        this.name,
                        keys.getPublic(),
                        notAfter,
                        Der.sequence(
                                extension(BASIC_CONSTRAINTS, true, isAuthority),
                                extension(KEY_USAGE, true, MAY_SIGN_CERTIFICATES)));
    }

    /**
     * An authority that there is.
     *
     * @param key of the certificate
     * @param notBefore from when what it signs is valid
     */
    public CertificateMaker(X509Certificate certificate, PrivateKey key, Instant notBefore)
            throws GeneralSecurityException {
        this.name = certificate.getSubjectX500Principal();
        this.key = key;
        this.notBefore = notBefore;
        this.certificate = certificate.getEncoded();
    }

    /** A fresh pair of keys as {@link #sign} takes them. */
    public static KeyPair freshKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** The authority's own certificate. */
    public byte[] authority() {
        return certificate.clone();
    }

    /** Whoever has it is this authority. */
    public PrivateKey key() {
        return key;
    }

    /**
     * A certificate for a key.
     *
     * @param names its subject alternative names, if any: addresses, and others of the type DNS
     * @param end when it expires
     */
    public byte[] sign(String subject, PublicKey key, List<String> names, Instant end)
            throws GeneralSecurityException {
        byte[] usage = extension(KEY_USAGE, true, MAY_SIGN);
        byte[][] allNames =
                names.stream().map(CertificateMaker::alternative).toArray(byte[][]::new);
        byte[] alternatives = extension(ALTERNATIVE_NAMES, false, Der.sequence(allNames));
        return certificate(
                new X500Principal("CN=" + subject),
                key,
                end,
                names.isEmpty() ? Der.sequence(usage) : Der.sequence(usage, alternatives));
    }

    private static byte[] alternative(String text) {
        return NodeNames.isAddress(text)
                ? Der.named(NodeNames.ADDRESS, InetAddress.ofLiteral(text).getAddress())
                : Der.named(NodeNames.DNS, text.getBytes(StandardCharsets.US_ASCII));
    }

    private byte[] certificate(X500Principal subject, PublicKey key, Instant end, byte[] extensions)
            throws GeneralSecurityException {
        byte[] content =
                Der.sequence(
                        Der.explicit(0, Der.integer(BigInteger.valueOf(VERSION_3))),
                        Der.integer(new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE)),
                        ECDSA_WITH_SHA256,
                        name.getEncoded(),
                        Der.sequence(Der.time(notBefore), Der.time(end)),
                        subject.getEncoded(),
                        key.getEncoded(),
                        Der.explicit(3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(this.key, random);
        signature.update(content);
        return Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
    }

    private static byte[] extension(byte[] kind, boolean isCritical, byte[] value) {
        return isCritical
                ? Der.sequence(kind, Der.yes(), Der.octets(value))
                : Der.sequence(kind, Der.octets(value));
    }
}
