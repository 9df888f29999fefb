package org.starling.net.internal;

import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/**
 * What a receiver says on the back direction of a connection after the handshake, again and again,
 * little-endian.
 *
 * <pre>
 *   0           8           16
 *   +-----------+-----------+
 *   | position  | ~position |
 *   +-----------+-----------+
 *   position   bytes of the stream that it has handled since the connection began, skipped ones
 *              included
 *   ~position  its complement, as a wrong position would let the sender flood the receiver
 * </pre>
 *
 * <p>The last thing it says, once it has taken up all frames before a goodbye and the goodbye
 * itself, is a farewell: {@link #FAREWELL} and in the low bits how many bytes of this connection
 * and of those before it are not done with.
 */
final class ConfirmationLayout {

    static final int BYTES = 16;

    /** Tells a farewell from a position, which never gets so large. */
    static final long FAREWELL = 1L << 62;

    private ConfirmationLayout() {}

    static void write(long address, long position) {
        NativeMemory.putLong(address, position);
        NativeMemory.putLong(address + 8, ~position);
    }

    /** The position, checked for damage alone. */
    static long position(long address) {
        long position = NativeMemory.getLong(address);
        if (NativeMemory.getLong(address + 8) != ~position) {
            throw new MalformedMessageException("damaged confirmation of " + position + " bytes");
        }
        return position;
    }
}
