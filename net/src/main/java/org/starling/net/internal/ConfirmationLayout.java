package org.starling.net.internal;

import org.starling.net.NativeMemory;

/**
 * What a receiver says on the back direction of a connection after the handshake, again and again:
 * the bytes of the stream that it has handled since the connection began, skipped ones included, as
 * one little-endian long.
 *
 * <p>The last thing it says, once it has taken up all frames before a goodbye and the goodbye
 * itself, is a farewell: {@link #FAREWELL} and in the low bits how many bytes of this connection
 * and of those before it are not done with.
 */
final class ConfirmationLayout {

    static final int BYTES = 8;

    /** Tells a farewell from a position, which never gets so large. */
    static final long FAREWELL = 1L << 62;

    private ConfirmationLayout() {}

    static void write(long address, long position) {
        NativeMemory.putLong(address, position);
    }

    static long position(long address) {
        return NativeMemory.getLong(address);
    }
}
