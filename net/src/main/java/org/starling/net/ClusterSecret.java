package org.starling.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the nodes of a cluster know and nobody else does. Each end of each connection proves that it
 * knows it, without saying it. It tells clusters apart, too: {@link #clusterId} follows from it.
 * Immutable, and never part of a text but {@link #text}.
 */
public final class ClusterSecret {

    /** Of nodes that believe each other: inside one process, and in tests. */
    public static final ClusterSecret NONE = new ClusterSecret(new byte[0]);

    private static final int BYTES = 32;
    private static final Pattern TEXT = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] CLUSTER_ID = "cluster id".getBytes(StandardCharsets.US_ASCII);

    private final byte[] key;
    private final long clusterId;

    private ClusterSecret(byte[] key) {
        this.key = key;
        clusterId = isNone() ? 0 : ByteBuffer.wrap(sign(CLUSTER_ID)).getLong() & Long.MAX_VALUE;
    }

    /** A new one, which nobody can guess. */
    public static ClusterSecret fresh() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        return new ClusterSecret(key);
    }

    /**
     * Reads what {@link #text} gives.
     *
     * @throws IllegalArgumentException if it is something else, which is not repeated in the
     *     message
     */
    public static ClusterSecret of(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "a cluster's secret is " + 2 * BYTES + " hexadecimal digits");
        }
        return new ClusterSecret(HexFormat.of().parseHex(text));
    }

    /**
     * The secret in a file, which is made with a fresh one if it is not there.
     *
     * @throws NetException if the file can't be read or written, holds something else, or can be
     *     read by others than its owner
     */
    public static ClusterSecret in(Path file) {
        try {
            if (!Files.exists(file)) {
                PrivateFile.write(file, fresh().text() + '\n');
            }
            if (!PrivateFile.excess(file).isEmpty()) {
                throw new NetException(
                        "the cluster's secret in %s can be read or changed by others (%s); run chmod 600 on it, and make a new one if others had it"
                                .formatted(
                                        file,
                                        PosixFilePermissions.toString(
                                                Files.getPosixFilePermissions(file))));
            }
            return of(Files.readString(file).strip());
        } catch (IOException | IllegalArgumentException e) {
            throw new NetException(
                    "the cluster's secret in " + file + " can't be used: " + e.getMessage(), e);
        }
    }

    /** For a child process that is to be a node, through its environment. */
    public String text() {
        return HexFormat.of().formatHex(key);
    }

    /** Whether there is none. */
    public boolean isNone() {
        return key.length == 0;
    }

    /** Tells the cluster from others; positive, and 0 if there is no secret. */
    public long clusterId() {
        return clusterId;
    }

    /**
     * What only somebody who knows the secret can say about some bytes (HMAC-SHA256, RFC 2104).
     *
     * @throws IllegalStateException if there is no secret
     */
    public byte[] sign(byte[]... parts) {
        if (isNone()) {
            throw new IllegalStateException("there is no secret to sign with");
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSecret secret && Arrays.equals(key, secret.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    @Override
    public String toString() {
        return "the secret of cluster " + Long.toHexString(clusterId);
    }
}
