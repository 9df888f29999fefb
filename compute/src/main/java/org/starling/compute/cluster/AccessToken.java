package org.starling.compute.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.PrivateFile;

/**
 * What people show to a cluster's API endpoints to be let in. It lies in the cluster's folder,
 * where its owner alone can read it, and travels in the header {@value #HEADER}. Immutable, and
 * never part of a text but {@link #text} and {@link #header}.
 */
public final class AccessToken {
    /** The header that it travels in. */
    public static final String HEADER = "Authorization";

    private static final String SCHEME = "Bearer ";
    private static final int BYTES = 32;

    /** By it programs that look for secrets in the wrong places know one. */
    private static final String PREFIX = "slg_";

    /** Earlier ones had no prefix. */
    private static final Pattern TEXT =
            Pattern.compile("(" + PREFIX + ")?[0-9a-f]{" + 2 * BYTES + "}");

    private final String text;

    private AccessToken(String text) {
        this.text = text;
    }

    /** A new one, which nobody can guess. */
    public static AccessToken fresh() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new AccessToken(PREFIX + HexFormat.of().formatHex(bytes));
    }

    /**
     * Reads what {@link #text} gives.
     *
     * @param source where it is from, for the message
     * @throws InvalidInputException if it is something else, which is not repeated in the message
     */
    public static AccessToken of(String text, String source) {
        if (!TEXT.matcher(text).matches()) {
            throw new InvalidInputException(
                    "%s holds no token of a cluster: expected \"%s\" and %d hexadecimal digits"
                            .formatted(source, PREFIX, 2 * BYTES));
        }
        return new AccessToken(text);
    }

    /**
     * The token in a file.
     *
     * @throws InvalidInputException if there is none, or others than the file's owner can read it
     */
    public static AccessToken read(Path file) {
        try {
            if (!PrivateFile.excess(file).isEmpty()) {
                throw new InvalidInputException(
                        "the token in %s can be read or changed by others (%s); remove it and start the cluster again, which makes a new one"
                                .formatted(
                                        file,
                                        PosixFilePermissions.toString(
                                                Files.getPosixFilePermissions(file))));
            }
            return of(Files.readString(file, StandardCharsets.UTF_8).strip(), file.toString());
        } catch (NoSuchFileException missing) {
            throw new InvalidInputException("there is no token " + file, missing);
        } catch (IOException unreadable) {
            throw new InvalidInputException(
                    "the token " + file + " can't be read: " + FileTrouble.reason(unreadable),
                    unreadable);
        }
    }

    /** For the file that it lies in. */
    public String text() {
        return text;
    }

    /**
     * By what a cluster knows it: the SHA-256 of its text, 64 hexadecimal digits in lower case. No
     * slow hash and no salt, which stand in the way of guessing what people have thought of: nobody
     * can guess 256 random bits, and each request is looked up by this.
     */
    public String digest() {
        return digest(text);
    }

    private static String digest(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    /**
     * Another secret, for one purpose, which tells nothing of the token: all who know the token get
     * the same.
     */
    byte[] derive(String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), mac.getAlgorithm()));
            return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has HMAC with SHA-256", missing);
        }
    }

    /** The digest of the token in a header; nothing if there is none. */
    static Optional<String> digestIn(@Nullable String header) {
        return Optional.ofNullable(header)
                .filter(text -> text.startsWith(SCHEME))
                .map(text -> text.substring(SCHEME.length()))
                .filter(text -> TEXT.matcher(text).matches())
                .map(AccessToken::digest);
    }

    /** For the header of a request. */
    public String header() {
        return SCHEME + text;
    }

    /**
     * Whether a request with that header may pass. Takes as long for any token of the same length.
     */
    public boolean admits(@Nullable String header) {
        return header != null
                && MessageDigest.isEqual(
                        header().getBytes(StandardCharsets.UTF_8),
                        header.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "a token";
    }
}
