package org.starling.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.starling.net.internal.tls.CertificateMaker;
import org.starling.net.internal.tls.NodeNames;
import org.starling.net.internal.tls.PemFile;

/**
 * An authority that lives in a folder, in PEM: {@code authority.key.pem} signs, and {@code
 * authority.crt.pem} holds the certificates of those that are trusted, the one that signs first.
 * With a new authority the earlier ones stay trusted until they are {@link #forget forgotten}, so
 * that nodes can get other certificates one after the other. Confined to one thread.
 */
public final class KeyAuthority {
    private static final Duration VALIDITY = Duration.ofDays(3650);

    /** What was made just now is valid for nodes whose clocks are late, too. */
    private static final Duration EARLIER = Duration.ofHours(1);

    private final Path folder;
    private final InstantSource clock;
    private CertificateMaker maker;

    /** The one that signs first. */
    private List<X509Certificate> trusted;

    private KeyAuthority(
            Path folder,
            InstantSource clock,
            CertificateMaker maker,
            List<X509Certificate> trusted) {
        this.folder = folder;
        this.clock = clock;
        this.maker = maker;
        this.trusted = trusted;
    }

    /** Whether a folder holds one that can sign. */
    public static boolean isIn(Path folder) {
        return Files.exists(key(folder));
    }

    /**
     * Makes one in a folder that is there.
     *
     * @throws NetException when that can't be
     */
    public static KeyAuthority make(Path folder, InstantSource clock) {
        try {
            CertificateMaker maker = fresh(clock);
            KeyAuthority made = new KeyAuthority(folder, clock, maker, List.of(certificate(maker)));
            made.write(folder);
            PrivateFile.write(key(folder), PemFile.key(maker.key()));
            return made;
        } catch (IOException | GeneralSecurityException e) {
            throw refusal(folder, e);
        }
    }

    /**
     * The one that a folder holds.
     *
     * @throws NetException when there is none that can be used
     */
    public static KeyAuthority open(Path folder, InstantSource clock) {
        try {
            List<X509Certificate> trusted =
                    new ArrayList<>(PemFile.certificates(certificates(folder)));
            PrivateKey key = PemFile.key(key(folder), "EC");
            for (X509Certificate one : List.copyOf(trusted)) {
                CertificateMaker maker = new CertificateMaker(one, key, begin(clock));
                if (isOf(maker, one)) {
                    trusted.remove(one);
                    trusted.addFirst(one);
                    return new KeyAuthority(folder, clock, maker, List.copyOf(trusted));
                }
            }
            throw new GeneralSecurityException(
                    key(folder) + " is the key of none in " + certificates(folder));
        } catch (IOException | GeneralSecurityException e) {
            throw refusal(folder, e);
        }
    }

    /**
     * Makes key and certificate for a node or a person, and puts beside them whom to trust.
     *
     * @param into a folder that is there
     * @param file part of the names of the files
     * @param names that the certificate is for: host names, addresses, node ids ({@link #nodeName})
     * @param validity of the certificate; it ends with the authority's at the latest
     * @return the files, which only their owner can read
     * @throws NetException when they can't be written
     */
    public TlsOptions issue(Path into, String file, List<String> names, Duration validity) {
        try {
            Instant last = trusted.getFirst().getNotAfter().toInstant();
            Instant end = clock.instant().plus(validity);
            write(into);
            return TlsAuthority.issue(
                    maker, into, file, names.getFirst(), names, end.isBefore(last) ? end : last);
        } catch (IOException | GeneralSecurityException e) {
            throw refusal(into, e);
        }
    }

    /** Puts into a folder whom to trust. */
    public void tell(Path into) {
        try {
            write(into);
        } catch (IOException | GeneralSecurityException e) {
            throw refusal(into, e);
        }
    }

    /** Makes a new key that signs from now on. Who was trusted still is. */
    public void renew() {
        try {
            CertificateMaker next = fresh(clock);
            List<X509Certificate> all = new ArrayList<>(trusted);
            all.addFirst(certificate(next));
            trusted = List.copyOf(all);
            maker = next;
            write(folder); // until the key is there, too, the earlier one signs
            PrivateFile.write(key(folder), PemFile.key(next.key()));
        } catch (IOException | GeneralSecurityException e) {
            throw refusal(folder, e);
        }
    }

    /**
     * Trusts the one that signs alone.
     *
     * @return how many others were trusted
     */
    public int forget() {
        int others = trusted.size() - 1;
        trusted = List.of(trusted.getFirst());
        tell(folder);
        return others;
    }

    /** How many are trusted. */
    public int count() {
        return trusted.size();
    }

    /**
     * Whether the one that signs has signed a certificate.
     *
     * @throws NetException when it can't be read
     */
    public boolean hasSigned(Path certificate) {
        try {
            PemFile.certificates(certificate).getFirst().verify(trusted.getFirst().getPublicKey());
            return true;
        } catch (IOException e) {
            throw refusal(folder, e);
        } catch (GeneralSecurityException other) {
            return false;
        }
    }

    /**
     * What a certificate is for, as {@link #issue} takes it.
     *
     * @throws NetException when it can't be read
     */
    public static List<String> names(Path certificate) {
        try {
            return NodeNames.namesAndAddresses(PemFile.certificates(certificate).getFirst());
        } catch (IOException | GeneralSecurityException e) {
            throw refusal(certificate, e);
        }
    }

    /** The name for the nodes {@code first} to {@code last}. */
    public static String nodeName(int first, int last) {
        return NodeNames.of(first, last);
    }

    /** Whether a text is an address and not a host's name. */
    public static boolean isAddress(String text) {
        return NodeNames.isAddress(text);
    }

    private void write(Path into) throws IOException, GeneralSecurityException {
        StringBuilder pem = new StringBuilder();
        for (X509Certificate one : trusted) {
            pem.append(PemFile.certificate(one.getEncoded()));
        }
        Path file = certificates(into);
        PrivateFile.write(file, pem.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static CertificateMaker fresh(InstantSource clock) throws GeneralSecurityException {
        return new CertificateMaker(
                "starling " + UUID.randomUUID(), begin(clock), clock.instant().plus(VALIDITY));
    }

    private static X509Certificate certificate(CertificateMaker maker)
            throws GeneralSecurityException {
        return PemFile.decode(maker.authority());
    }

    /** Whether what it signs is signed by that authority. */
    private static boolean isOf(CertificateMaker maker, X509Certificate authority)
            throws GeneralSecurityException {
        byte[] probe =
                maker.sign(
                        "probe",
                        authority.getPublicKey(),
                        List.of(),
                        authority.getNotAfter().toInstant());
        try {
            PemFile.decode(probe).verify(authority.getPublicKey());
            return true;
        } catch (SignatureException other) {
            return false;
        }
    }

    private static Instant begin(InstantSource clock) {
        return clock.instant().minus(EARLIER);
    }

    private static Path certificates(Path folder) {
        return TlsAuthority.files(folder, "").authority();
    }

    private static Path key(Path folder) {
        return folder.resolve("authority.key.pem");
    }

    private static NetException refusal(Path folder, Exception e) {
        return new NetException(
                "the keys in %s can't be used: %s".formatted(folder, e.getMessage()), e);
    }
}
