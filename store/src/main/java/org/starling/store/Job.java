package org.starling.store;

import java.util.Objects;

/**
 * One job with everything that is kept of it.
 *
 * @param info in few words
 * @param payload what was submitted
 * @param progress of the last committed checkpoint; empty before the first
 * @param report of its end; empty before
 */
@SuppressWarnings("ArrayRecordComponent") // handed from the directory to a reader, never compared
public record Job(JobInfo info, byte[] payload, byte[] progress, byte[] report) {
    /** Checks the fields. */
    public Job {
        Objects.requireNonNull(info, "info");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(progress, "progress");
        Objects.requireNonNull(report, "report");
    }
}
