package org.starling.net.internal.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The few kinds of values that a certificate is made of, in the encoding DER (ITU-T X.690). */
final class Der {

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED_CONTEXT = 0xA0;

    /** From this year on a time has four digits for the year (RFC 5280, 4.1.2.5). */
    private static final int GENERALIZED_YEAR = 2050;

    private static final byte[] TRUE = {0x01, 1, (byte) 0xFF};

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(SEQUENCE, parts);
    }

    static byte[] integer(BigInteger number) {
        return value(INTEGER, number.toByteArray());
    }

    static byte[] yes() {
        return TRUE.clone();
    }

    static byte[] octets(byte[] bytes) {
        return value(OCTET_STRING, bytes);
    }

    /**
     * A string of bits, the first in the highest place of the first byte.
     *
     * @param unused bits of the last byte that don't count
     */
    static byte[] bits(int unused, byte[] bytes) {
        return value(BIT_STRING, new byte[] {(byte) unused}, bytes);
    }

    /** Identifier from its numbers. */
    static byte[] identifier(int... numbers) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(40 * numbers[0] + numbers[1]);
        for (int i = 2; i < numbers.length; i++) {
            int digits = (31 - Integer.numberOfLeadingZeros(numbers[i] | 1)) / 7;
            for (int digit = digits; digit >= 0; digit--) {
                content.write(((numbers[i] >> (7 * digit)) & 0x7F) | (digit > 0 ? 0x80 : 0));
            }
        }
        return value(OBJECT_IDENTIFIER, content.toByteArray());
    }

    static byte[] time(Instant instant) {
        ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
        boolean isLong = time.getYear() >= GENERALIZED_YEAR;
        String digits =
                DateTimeFormatter.ofPattern(
                                isLong ? "yyyyMMddHHmmss'Z'" : "yyMMddHHmmss'Z'", Locale.ROOT)
                        .format(time);
        return value(
                isLong ? GENERALIZED_TIME : UTC_TIME, digits.getBytes(StandardCharsets.US_ASCII));
    }

    /** Bytes under a number that their surroundings give a meaning. */
    static byte[] named(int number, byte[] bytes) {
        return value(CONTEXT | number, bytes);
    }

    /** A value under a number that its surroundings give a meaning. */
    static byte[] explicit(int number, byte[] value) {
        return value(CONSTRUCTED_CONTEXT | number, value);
    }

    private static byte[] value(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = (39 - Integer.numberOfLeadingZeros(length)) / 8;
            out.write(0x80 | bytes);
            for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
                out.write(length >> shift);
            }
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
