package org.starling.net.internal;

/** Length of strings in UTF-8 without encoding them. */
final class Utf8 {

    private Utf8() {}

    /**
     * Bytes of {@code value} in UTF-8; an unpaired surrogate counts as the one byte of a question
     * mark.
     */
    static int bytes(String value) {
        int chars = value.length();
        long bytes = chars;
        for (int i = 0; i < chars; i++) {
            char c = value.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (c < 0x800) {
                bytes += 1;
            } else if (!Character.isSurrogate(c)) {
                bytes += 2;
            } else if (isPair(value, i)) {
                bytes += 2;
                i++;
            }
        }
        return Math.toIntExact(bytes);
    }

    static boolean isAscii(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPair(String value, int index) {
        return Character.isHighSurrogate(value.charAt(index))
                && index + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(index + 1));
    }
}
