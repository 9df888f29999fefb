package org.starling.compute.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Closes texts that go to browsers and come back, so that nobody reads or changes them on the way:
 * AES-256 in GCM, with a random nonce of 96 bits each time (good for some billions of texts, and a
 * cluster makes some hundreds a day). Superpeers with the same secret open one another's texts.
 * Immutable; any thread.
 */
public final class SessionSeal {
    /** Of a secret. */
    public static final int SECRET_BYTES = 32;

    /** What is longer was not sealed here. */
    static final int MAX_SEALED_CHARACTERS = 4096;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom nonces = new SecureRandom();

    /**
     * With a secret that the superpeers share.
     *
     * @param secret {@value #SECRET_BYTES} bytes that nobody else knows
     */
    public SessionSeal(byte[] secret) {
        if (secret.length != SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "a secret has %d bytes, not %d".formatted(SECRET_BYTES, secret.length));
        }
        key = new SecretKeySpec(secret, "AES");
    }

    /** With a secret of its own: no other superpeer opens what it has closed. */
    public static SessionSeal fresh() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return new SessionSeal(secret);
    }

    /** Closes a text; what comes of it has only letters, digits, "-" and "_". */
    public String close(String text) {
        byte[] nonce = new byte[NONCE_BYTES];
        nonces.nextBytes(nonce);
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] closed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
            byte[] all =
                    ByteBuffer.allocate(nonce.length + closed.length)
                            .put(nonce)
                            .put(closed)
                            .array();
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has AES in GCM", missing);
        }
    }

    /** Opens what {@link #close} gave; nothing if it was closed elsewhere or has been changed. */
    public Optional<String> open(String closed) {
        if (closed.length() > MAX_SEALED_CHARACTERS) {
            return Optional.empty();
        }
        try {
            byte[] all = Base64.getUrlDecoder().decode(closed);
            if (all.length <= NONCE_BYTES) {
                return Optional.empty();
            }
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(
                    Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, all, 0, NONCE_BYTES));
            byte[] text = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException strange) {
            return Optional.empty();
        }
    }
}
