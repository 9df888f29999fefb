package org.starling.net.internal.ucx;

import org.starling.net.NativeMemory;

/**
 * {@code ucp_am_handler_param_t}: whom to call when an active message has arrived.
 *
 * <pre>
 *   0            8    12      16         24         32
 *   +------------+----+-------+----------+----------+
 *   | field mask | id | flags | callback | argument |
 *   +------------+----+-------+----------+----------+
 * </pre>
 */
final class MessageHandlerLayout {

    static final int BYTES = 32;

    private static final int FIELD_MASK = 0;
    private static final int ID = 8;
    private static final int FLAGS = 12;
    private static final int CALLBACK = 16;
    private static final int ARGUMENT = 24;

    private static final long ALL_FIELDS = 0xF;

    /** Messages are put together before the callback. */
    private static final int WHOLE = 1;

    private MessageHandlerLayout() {}

    static void write(long address, int id, long callback) {
        NativeMemory.putLong(address + FIELD_MASK, ALL_FIELDS);
        NativeMemory.putInt(address + ID, id);
        NativeMemory.putInt(address + FLAGS, WHOLE);
        NativeMemory.putLong(address + CALLBACK, callback);
        NativeMemory.putLong(address + ARGUMENT, 0);
    }
}
