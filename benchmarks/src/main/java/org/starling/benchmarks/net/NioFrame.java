package org.starling.benchmarks.net;

import org.starling.net.NativeMemory;

/**
 * A frame between plain sockets.
 *
 * <pre>
 *   0         4         8
 *   +---------+---------+-----------------+
 *   | length  | kind    |  payload        |
 *   +---------+---------+-----------------+
 *   length  bytes of payload
 *   kind    one of the constants below
 * </pre>
 */
final class NioFrame {
    static final int HEADER_BYTES = 8;

    /** Counted and summed up. */
    static final int DATA = 1;

    /** Sent back. */
    static final int PING = 2;

    /** Answered with what was counted. */
    static final int END = 3;

    /** Two words: messages and sum. */
    static final int TALLY = 4;

    static final int TALLY_BYTES = 2 * Long.BYTES;

    private NioFrame() {}

    static void putHeader(long address, int kind, int length) {
        NativeMemory.putLong(address, (long) kind << 32 | length);
    }

    static int length(long address) {
        return NativeMemory.getInt(address);
    }

    static int kind(long address) {
        return NativeMemory.getInt(address + Integer.BYTES);
    }
}
