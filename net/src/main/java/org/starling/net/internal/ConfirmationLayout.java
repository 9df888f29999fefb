package org.starling.net.internal;

import org.starling.net.NativeMemory;

/**
 * What a receiver says on the back direction of a connection after the handshake, again and again:
 * the bytes of the stream that it has handled since the connection began, skipped ones included, as
 * one little-endian long.
 */
final class ConfirmationLayout {

    static final int BYTES = 8;

    private ConfirmationLayout() {}

    static void write(long address, long position) {
        NativeMemory.putLong(address, position);
    }

    static long position(long address) {
        return NativeMemory.getLong(address);
    }
}
