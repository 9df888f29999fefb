package org.starling.benchmarks.net;

import java.util.Arrays;

/**
 * The content of message objects, and what is compared of it: two words, the number of the message
 * and one made from it, and an array that all messages share if there is more. Receivers sum up the
 * words and the ends of the array, or all of it. Immutable and thread-safe.
 */
final class SampleContent {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final boolean whole;
    private final byte[] body;

    /**
     * Content of one size.
     *
     * @param bytes of each message, at least {@link NetPlan#MIN_OBJECT_BYTES}
     * @param whole whether all is summed up
     */
    SampleContent(int bytes, boolean whole) {
        this.whole = whole;
        this.body = new byte[bytes - NetPlan.MIN_OBJECT_BYTES];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) ((i * MIX) >>> 56);
        }
    }

    /** A message that is sent. */
    SampleMessage message(long number) {
        return new SampleMessage(number, number * MIX, body);
    }

    /** A message that is answered. */
    SampleRequest request(long number) {
        return new SampleRequest(number, number * MIX, body);
    }

    /** The sum of a message. */
    long sum(SampleMessage message) {
        return message.number() + message.check() + sum(message.body());
    }

    private long sum(byte[] bytes) {
        if (whole) {
            return Arrays.hashCode(bytes);
        }
        return bytes.length == 0 ? 0 : 31L * bytes.length + bytes[0] + 7L * bytes[bytes.length - 1];
    }
}
