package org.starling.net.internal;

/**
 * Payload of a {@link FrameLayout#FRAGMENT} frame: a piece of a message too large for one frame.
 *
 * <pre>
 *   0         4      5      6       8            16
 *   +---------+------+------+-------+------------+- - - - -
 *   | stream  | kind | flags| type  | total      | piece
 *   +---------+------+------+-------+------------+- - - - -
 *   stream  tells large messages of one connection apart, as several may be under way
 *   kind, type  of the whole message
 *   total   bytes of the whole payload; in the first fragment only, later pieces start at 8
 * </pre>
 */
final class FragmentLayout {

    static final int HEADER_BYTES = 8;
    static final int FIRST_HEADER_BYTES = 16;

    static final int FIRST = 1;
    static final int LAST = 2;

    /** The message is given up; there are no more pieces of it. */
    static final int ABORTED = 4;

    /** Large messages under way at once on one connection, checked by sender and receiver. */
    static final int MAX_STREAMS = 16;

    private FragmentLayout() {}

    static long header(int stream, int kind, int flags, int type) {
        return (long) type << 48 | (long) flags << 40 | (long) kind << 32 | (stream & 0xFFFF_FFFFL);
    }

    static int stream(long header) {
        return (int) header;
    }

    static int kind(long header) {
        return (int) (header >>> 32) & 0xFF;
    }

    static int flags(long header) {
        return (int) (header >>> 40) & 0xFF;
    }

    static int type(long header) {
        return (int) (header >>> 48);
    }
}
