package org.starling.benchmarks.net;

import org.starling.net.NativeMemory;

/**
 * The content of messages in native memory, and what is compared of it. A message has a number of
 * its own in its first word, a number made from that in its last one, and the same words between in
 * all messages; shorter than two words, the first word or byte alone. Writers write all of it.
 * Readers sum up the ends, or all of it.
 *
 * <p>Immutable and thread-safe; owns a copy of the words between until it is closed.
 */
final class Payload implements AutoCloseable {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private static final int BURST_BYTES = 64 << 10;
    private static final int BURST_MESSAGES = 64;

    /** Up to here words are written one by one. */
    private static final int SMALL_BYTES = 128;

    private final int bytes;
    private final boolean whole;
    private final long template;

    /** Sum of the words and bytes between the ends; 0 if nobody reads them. */
    private final long middle;

    /** Content of one size; if it is {@code whole}, all is summed up, not only the ends. */
    Payload(int bytes, boolean whole) {
        this.bytes = bytes;
        this.whole = whole;
        this.template = NativeMemory.reserve(bytes);
        for (int i = 0; i < bytes; i++) {
            NativeMemory.putByte(template + i, (byte) ((i * MIX) >>> 56));
        }
        this.middle = whole ? middle(template, bytes) : 0;
    }

    int bytes() {
        return bytes;
    }

    /** Whether readers sum up all, not only the ends. */
    boolean isWhole() {
        return whole;
    }

    /** How many messages are sent between two looks at the clock. */
    int burst() {
        return Math.clamp(BURST_BYTES / bytes, 1, BURST_MESSAGES);
    }

    /**
     * Writes a message.
     *
     * @param number of the message
     * @return what {@link #read} will say of it
     */
    long write(long address, long number) {
        if (bytes < Long.BYTES) {
            copyMiddle(address, 1, bytes);
            NativeMemory.putByte(address, (byte) number);
            return (byte) number + middle;
        }
        long last = number * MIX;
        NativeMemory.putLong(address, number);
        if (bytes < 2 * Long.BYTES) {
            copyMiddle(address, Long.BYTES, bytes);
            return number + middle;
        }
        copyMiddle(address, Long.BYTES, bytes - Long.BYTES);
        NativeMemory.putLong(address + bytes - Long.BYTES, last);
        return number + last + middle;
    }

    /** The sum of a message. */
    long read(long address, int length) {
        long between = whole ? middle(address, length) : 0;
        if (length < Long.BYTES) {
            return NativeMemory.getByte(address) + between;
        }
        long first = NativeMemory.getLong(address);
        return length < 2 * Long.BYTES
                ? first + between
                : first + NativeMemory.getLong(address + length - Long.BYTES) + between;
    }

    @Override
    public void close() {
        NativeMemory.release(template, bytes);
    }

    private void copyMiddle(long address, int from, int to) {
        if (to - from > SMALL_BYTES) {
            NativeMemory.copy(template + from, address + from, to - from);
            return;
        }
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            NativeMemory.putLong(address + at, NativeMemory.getLong(template + at));
        }
        for (; at < to; at++) {
            NativeMemory.putByte(address + at, NativeMemory.getByte(template + at));
        }
    }

    /** Sums up what lies between the ends, weighing each word by its place. */
    private static long middle(long address, int length) {
        int at = length < Long.BYTES ? 1 : Long.BYTES;
        int end = length < 2 * Long.BYTES ? length : length - Long.BYTES;
        long sum = 0;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            sum = 31 * sum + NativeMemory.getLong(address + at);
        }
        for (; at < end; at++) {
            sum = 31 * sum + NativeMemory.getByte(address + at);
        }
        return sum;
    }
}
