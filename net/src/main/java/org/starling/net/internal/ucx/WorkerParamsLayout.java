package org.starling.net.internal.ucx;

import org.starling.net.NativeMemory;

/**
 * {@code ucp_worker_params_t}, of which two fields are set.
 *
 * <pre>
 *   0            8             12                     200
 *   +------------+-------------+-------- - - - --------+
 *   | field mask | thread mode | not set               |
 *   +------------+-------------+-------- - - - --------+
 * </pre>
 */
final class WorkerParamsLayout {

    static final int BYTES = 200;

    private static final int FIELD_MASK = 0;
    private static final int THREAD_MODE = 8;

    private static final long FIELD_THREAD_MODE = 1;

    /** Several threads, one at a time. */
    private static final int SERIALIZED = 1;

    private WorkerParamsLayout() {}

    static void write(long address) {
        NativeMemory.fill(address, BYTES, (byte) 0);
        NativeMemory.putLong(address + FIELD_MASK, FIELD_THREAD_MODE);
        NativeMemory.putInt(address + THREAD_MODE, SERIALIZED);
    }
}
