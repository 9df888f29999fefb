package org.starling.store.internal.log;

/**
 * What all logs of a peer have done since they were opened.
 *
 * @param logs open now
 * @param logBytes bytes of their files
 * @param writtenBytes written to them, what the cleaner moves included
 * @param cleanedBytes of old segments that the cleaner has been through
 * @param forces of files
 * @param forceNanos how long these took
 * @param hangs whether the disk does not answer now
 */
public record LogFigures(
        int logs,
        long logBytes,
        long writtenBytes,
        long cleanedBytes,
        long forces,
        long forceNanos,
        boolean hangs) {}
