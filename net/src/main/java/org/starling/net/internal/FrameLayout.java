package org.starling.net.internal;

/**
 * The frame, unit of ring and wire. All frames start at multiples of 8 bytes, in the ring, on the
 * wire and in receive buffers, so that the header is one aligned little-endian word.
 *
 * <pre>
 *   0         4       6     7     8
 *   +---------+-------+-----+-----+-----------------+- - - -+
 *   | length  | type  |kind |check|  payload        | pad   |
 *   +---------+-------+-----+-----+-----------------+- - - -+
 *   length  bytes of header and payload, without the padding to the next multiple of 8
 *   type    message type or raw type, the reason of a goodbye; 0 where the kind has none
 *   kind    one of the constants below
 *   check   the other seven bytes and {@link #CHECK_SEED}, exclusive or
 * </pre>
 *
 * The check finds every change within one byte of the header and 255 of 256 others, so that a
 * stream that has lost its beat is found at the next frame, whatever carries it. What is behind the
 * header is for what carries the frames to protect: TCP's own sum, or TLS.
 *
 * <p>The payload of {@link #REQUEST}, {@link #RESPONSE} and {@link #FAILURE} starts with the 8-byte
 * correlation id. Of a {@link #SKIP} frame only the header travels: it says how far the stream's
 * position moves (the unused end of a ring, a claim given up), so that sender and receiver count
 * the same positions.
 */
final class FrameLayout {

    /** Version of everything on the wire, exchanged in the handshake. */
    static final int VERSION = 3;

    static final int HEADER_BYTES = 8;
    static final int ALIGNMENT_BYTES = 8;
    static final int CORRELATION_BYTES = 8;

    static final int MESSAGE = 1;
    static final int REQUEST = 2;
    static final int RESPONSE = 3;
    static final int FAILURE = 4;
    static final int RAW = 5;
    static final int FRAGMENT = 6;
    static final int SKIP = 7;

    /** The last frame: the sender closes the connection on purpose. Its type says why. */
    static final int GOODBYE = 8;

    /** Type of a {@link #GOODBYE}: the sender has too many connections; it may come again. */
    static final int RETIRING = 0;

    /** Type of a {@link #GOODBYE}: the sender closes its network. */
    static final int LEAVING = 1;

    private static final int CHECK_SEED = 0xA5;

    private FrameLayout() {}

    static long header(int kind, int type, int length) {
        long fields = (long) kind << 48 | (long) type << 32 | length;
        return (long) (folded(fields) ^ CHECK_SEED) << 56 | fields;
    }

    /** Whether the header is as it was written. */
    static boolean isSound(long header) {
        return folded(header) == CHECK_SEED;
    }

    static int length(long header) {
        return (int) header;
    }

    static int type(long header) {
        return (int) (header >>> 32) & 0xFFFF;
    }

    static int kind(long header) {
        return (int) (header >>> 48) & 0xFF;
    }

    /** Bytes a frame takes in ring and stream. */
    static int aligned(int length) {
        return (length + (ALIGNMENT_BYTES - 1)) & -ALIGNMENT_BYTES;
    }

    static boolean hasCorrelation(int kind) {
        return kind == REQUEST || kind == RESPONSE || kind == FAILURE;
    }

    /** All eight bytes, exclusive or. */
    private static int folded(long header) {
        long half = header ^ (header >>> 32);
        long quarter = half ^ (half >>> 16);
        return (int) (quarter ^ (quarter >>> 8)) & 0xFF;
    }
}
