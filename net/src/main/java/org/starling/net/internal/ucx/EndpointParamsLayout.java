package org.starling.net.internal.ucx;

import org.starling.net.NativeMemory;

/**
 * {@code ucp_ep_params_t}: whom to reach, and whom to tell when that fails.
 *
 * <pre>
 *   0            8         16           20   24         32        40          104
 *   +------------+---------+------------+----+----------+---------+--- - - ---+
 *   | field mask | address | error mode |    | callback | its arg | not set   |
 *   +------------+---------+------------+----+----------+---------+--- - - ---+
 * </pre>
 */
final class EndpointParamsLayout {

    static final int BYTES = 104;

    private static final int FIELD_MASK = 0;
    private static final int ADDRESS = 8;
    private static final int ERROR_MODE = 16;
    private static final int ERROR_CALLBACK = 24;
    private static final int ERROR_ARGUMENT = 32;

    private static final long FIELD_ADDRESS = 1;
    private static final long FIELD_ERROR_MODE = 1 << 1;
    private static final long FIELD_ERROR_HANDLER = 1 << 2;

    /** The loss of the peer is found out and told. */
    private static final int PEER_ERRORS = 1;

    private EndpointParamsLayout() {}

    /** An endpoint to another worker. */
    static void write(long address, long workerAddress, long errorCallback) {
        writeToSelf(address, workerAddress);
        NativeMemory.putLong(
                address + FIELD_MASK, FIELD_ADDRESS | FIELD_ERROR_MODE | FIELD_ERROR_HANDLER);
        NativeMemory.putInt(address + ERROR_MODE, PEER_ERRORS);
        NativeMemory.putLong(address + ERROR_CALLBACK, errorCallback);
        NativeMemory.putLong(address + ERROR_ARGUMENT, 0);
    }

    /** An endpoint to the worker that makes it: UCX's {@code self} knows no loss of peers. */
    static void writeToSelf(long address, long workerAddress) {
        NativeMemory.fill(address, BYTES, (byte) 0);
        NativeMemory.putLong(address + FIELD_MASK, FIELD_ADDRESS);
        NativeMemory.putLong(address + ADDRESS, workerAddress);
    }
}
