package org.starling.net.internal.ucx;

import org.starling.net.NativeMemory;

/**
 * {@code ucp_request_param_t}, for sending and for closing.
 *
 * <pre>
 *   0      4       8                 48            52        72
 *   +------+-------+---- - - - ------+-------------+-- - - --+
 *   | mask | flags | not set         | memory type | not set |
 *   +------+-------+---- - - - ------+-------------+-- - - --+
 * </pre>
 */
final class RequestParamsLayout {

    static final int BYTES = 72;

    private static final int MASK = 0;
    private static final int FLAGS = 4;
    private static final int MEMORY_TYPE = 48;

    private static final int MASK_FLAGS = 1 << 4;
    private static final int MASK_MEMORY_TYPE = 1 << 6;

    /** No rendezvous: what is sent arrives in the callback, in order. */
    private static final int FLAG_EAGER = 1 << 1;

    /** Close without waiting for the peer. */
    private static final int FLAG_FORCE = 1;

    /** Ordinary memory, so that UCX need not find out. */
    private static final int HOST = 0;

    private RequestParamsLayout() {}

    static void writeSend(long address) {
        NativeMemory.fill(address, BYTES, (byte) 0);
        NativeMemory.putInt(address + MASK, MASK_FLAGS | MASK_MEMORY_TYPE);
        NativeMemory.putInt(address + FLAGS, FLAG_EAGER);
        NativeMemory.putInt(address + MEMORY_TYPE, HOST);
    }

    static void writeClose(long address, boolean isForced) {
        NativeMemory.fill(address, BYTES, (byte) 0);
        NativeMemory.putInt(address + MASK, MASK_FLAGS);
        NativeMemory.putInt(address + FLAGS, isForced ? FLAG_FORCE : 0);
    }
}
