package org.starling.net.internal;

import org.starling.net.NativeMemory;

/**
 * The header of all active messages: which connection, and where in its stream.
 *
 * <pre>
 *   0         8            16
 *   +---------+------------+
 *   | key     | position   |
 *   +---------+------------+
 *   key       as told by the receiver at the handshake
 *   position  {@link #DATA}: bytes of the connection that were sent before those that follow;
 *             {@link #CONFIRMATION}: as in {@link ConfirmationLayout}, nothing follows
 * </pre>
 */
final class UcxMessageLayout {

    static final int BYTES = 16;

    /** Id of active messages that carry a piece of the stream, cut anywhere. */
    static final int DATA = 1;

    /** Id of active messages that carry a confirmation. */
    static final int CONFIRMATION = 2;

    private UcxMessageLayout() {}

    static void write(long address, long key, long position) {
        NativeMemory.putLong(address, key);
        NativeMemory.putLong(address + 8, position);
    }

    static long key(long address) {
        return NativeMemory.getLong(address);
    }

    static long position(long address) {
        return NativeMemory.getLong(address + 8);
    }
}
