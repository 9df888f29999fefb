package org.starling.store;

/**
 * A job with its bytes. Whoever gets one does not change the arrays.
 *
 * @param info what a list says of it
 * @param checkpoints how many checkpoints have been committed in all its attempts
 * @param payload what was submitted; empty once it has ended
 * @param progress the last committed checkpoint; empty before the first and once it has ended
 * @param report what the master reported at the end; empty before
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record Job(JobInfo info, long checkpoints, byte[] payload, byte[] progress, byte[] report) {
    /** The most bytes of a name's UTF-8. */
    public static final int MAX_NAME_BYTES = 255;

    /** The most bytes of a payload. */
    public static final int MAX_PAYLOAD_BYTES = 1 << 20;

    /** The most bytes of a checkpoint's progress. */
    public static final int MAX_PROGRESS_BYTES = 256 << 10;

    /** The most bytes of a report. */
    public static final int MAX_REPORT_BYTES = 1 << 20;
}
