package org.starling.loaders;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.starling.graph.TextId;

/** Bytes of a term of a triple, in UTF-8; used again and again. Confined to one thread. */
final class TripleTerm {
    private static final int INITIAL_BYTES = 256;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    /** Forgets all. */
    void clear() {
        length = 0;
    }

    /** Appends a byte; false if the term is longer than any id. */
    boolean add(int value) {
        if (length == bytes.length) {
            if (length > TextId.MAX_BYTES) {
                return false;
            }
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = (byte) value;
        return true;
    }

    /** Appends a character; false if the term is longer than any id. */
    boolean addCodePoint(int codePoint) {
        boolean fits = true;
        for (byte one : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
            fits &= add(one);
        }
        return fits;
    }

    /** The bytes, and perhaps more behind them. */
    byte[] bytes() {
        return bytes;
    }

    /** How many of the bytes belong to it. */
    int length() {
        return length;
    }

    /** Whether it begins like an absolute IRI. */
    boolean hasScheme() {
        for (int i = 0; i < length; i++) {
            int c = bytes[i];
            boolean isLetter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            if (c == ':') {
                return i > 0;
            }
            if (!isLetter
                    && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
                return false;
            }
        }
        return false;
    }

    /** The term as a text. */
    String text() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Whether it is that text in UTF-8. */
    boolean is(byte[] utf8) {
        return Arrays.equals(bytes, 0, length, utf8, 0, utf8.length);
    }

    /** The same for equal terms. */
    long hash() {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = Mix64.mix(hash ^ bytes[i]);
        }
        return hash;
    }
}
