package org.starling.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.starling.net.internal.tls.CertificateMaker;
import org.starling.net.internal.tls.NodeNames;
import org.starling.net.internal.tls.PemFile;

/**
 * An authority that lives as long as this object: makes the keys of nodes that start together, as a
 * cluster on one machine does, and keeps its own key to itself, so that nobody can join the nodes
 * later by a key that was not made for them.
 *
 * <p>Its certificates don't expire: whoever wants other keys makes another authority. Confined to
 * one thread.
 */
public final class TlsAuthority {

    private static final Instant ALWAYS = Instant.parse("2000-01-01T00:00:00Z");

    /** "No well-defined expiration date" (RFC 5280, 4.1.2.5). */
    private static final Instant FOR_EVER = Instant.parse("9999-12-31T23:59:59Z");

    private static final Set<PosixFilePermission> OWNER_ONLY_FOLDER =
            PosixFilePermissions.fromString("rwx------");

    private final Path folder;
    private final CertificateMaker maker;

    /**
     * An authority whose files go into a folder, which is made, or taken from all but its owner.
     *
     * @throws NetException when the files can't be written
     */
    public TlsAuthority(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, OWNER_ONLY_FOLDER);
            maker = new CertificateMaker("starling " + UUID.randomUUID(), ALWAYS, FOR_EVER);
            PrivateFile.write(
                    files(folder, "").authority(), PemFile.certificate(maker.authority()));
        } catch (IOException | GeneralSecurityException e) {
            throw new NetException("keys can't be made in " + folder + ": " + e.getMessage(), e);
        }
    }

    /**
     * Makes key and certificate for one process.
     *
     * @param name of the process, part of the names of its files
     * @param firstNode lowest id that it may have
     * @param lastNode highest id that it may have
     * @return the files, which only their owner can read
     * @throws NetException when they can't be written
     */
    public TlsOptions issue(String name, int firstNode, int lastNode) {
        try {
            List<String> names = List.of(NodeNames.of(firstNode, lastNode));
            return issue(maker, folder, name, name, names, FOR_EVER);
        } catch (IOException | GeneralSecurityException e) {
            throw new NetException("keys can't be made in " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Makes key and certificate of a subject, and writes both. */
    static TlsOptions issue(
            CertificateMaker maker,
            Path into,
            String file,
            String subject,
            List<String> names,
            Instant end)
            throws IOException, GeneralSecurityException {
        KeyPair keys = CertificateMaker.freshKeys();
        byte[] certificate = maker.sign(subject, keys.getPublic(), names, end);
        TlsOptions files = files(into, file);
        PrivateFile.write(files.key(), PemFile.key(keys.getPrivate()));
        PrivateFile.write(files.certificate(), PemFile.certificate(certificate));
        return files;
    }

    /** Where the authority of a folder puts the files of a process. */
    public static TlsOptions files(Path folder, String name) {
        return new TlsOptions(
                folder.resolve(name + ".crt.pem"),
                folder.resolve(name + ".key.pem"),
                folder.resolve("authority.crt.pem"));
    }
}
