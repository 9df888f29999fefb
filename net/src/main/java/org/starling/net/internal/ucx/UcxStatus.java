package org.starling.net.internal.ucx;

/**
 * The values of {@code ucs_status_t} that are told apart here. Functions that may finish later
 * return a {@code ucs_status_ptr_t}: 0 when done, a small negative number for a failure, else the
 * address of a request.
 */
public final class UcxStatus {

    public static final int OK = 0;
    public static final int IN_PROGRESS = 1;
    public static final int BUSY = -15;

    /** The largest failure number; a pointer below its negative is none. */
    private static final long LAST = -100;

    private UcxStatus() {}

    /** Whether a status pointer is a failure. */
    public static boolean isFailure(long pointer) {
        return pointer < 0 && pointer >= LAST;
    }
}
