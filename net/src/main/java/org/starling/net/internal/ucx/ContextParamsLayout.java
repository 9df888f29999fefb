package org.starling.net.internal.ucx;

import org.starling.net.NativeMemory;

/**
 * {@code ucp_params_t}, of which two fields are set.
 *
 * <pre>
 *   0            8           16                       80
 *   +------------+-----------+-------- - - - ---------+
 *   | field mask | features  | not set                |
 *   +------------+-----------+-------- - - - ---------+
 * </pre>
 */
final class ContextParamsLayout {

    static final int BYTES = 80;

    private static final int FIELD_MASK = 0;
    private static final int FEATURES = 8;

    private static final long FIELD_FEATURES = 1;

    /** Sleeping until something happens. */
    private static final long FEATURE_WAKEUP = 1 << 4;

    /** Active messages. */
    private static final long FEATURE_AM = 1 << 6;

    private ContextParamsLayout() {}

    static void write(long address) {
        NativeMemory.fill(address, BYTES, (byte) 0);
        NativeMemory.putLong(address + FIELD_MASK, FIELD_FEATURES);
        NativeMemory.putLong(address + FEATURES, FEATURE_AM | FEATURE_WAKEUP);
    }
}
