package org.starling.packages;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * Archives with the same bytes for the same content: entries in the order in which they are given,
 * all of one time and owned by root. Stateless.
 */
final class Tarball {
    private static final double MEBIBYTE = 1 << 20;

    private Tarball() {}

    /**
     * Writes one.
     *
     * @param folder in which all of it is
     * @param time of every entry
     */
    static void write(Path file, String folder, List<Packed> content, Instant time)
            throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        GzipParameters unnamed = new GzipParameters(); // neither name nor time
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft));
                OutputStream packed = new GzipCompressorOutputStream(out, unnamed);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(packed)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (Packed part : content) {
                add(tar, folder + "/" + part.name(), part, time);
            }
        }
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void add(TarArchiveOutputStream tar, String name, Packed part, Instant time)
            throws IOException {
        TarArchiveEntry entry;
        if (part.isLink()) {
            entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(Files.readSymbolicLink(part.source()).toString());
        } else if (part.isFolder()) {
            entry = new TarArchiveEntry(name + "/");
        } else {
            entry = new TarArchiveEntry(name);
            entry.setSize(Files.size(part.source()));
        }
        entry.setMode(part.mode());
        entry.setLastModifiedTime(FileTime.from(time));
        entry.setUserName("root");
        entry.setGroupName("root");
        tar.putArchiveEntry(entry);
        if (!part.isLink() && !part.isFolder()) {
            Files.copy(part.source(), tar);
        }
        tar.closeArchiveEntry();
    }

    /** Its name, size and digest, for people. */
    static String sentence(Path file) throws IOException {
        return "%s: %.1f MiB, sha256 %s".formatted(file, Files.size(file) / MEBIBYTE, digest(file));
    }

    /** SHA-256 of a file, in hexadecimal digits. */
    static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digested =
                        new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digested.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
