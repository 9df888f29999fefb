package org.starling.compute.internal.group;

import org.starling.graph.JobFailedException;

/**
 * A run has failed, and work does not stop on one of its slaves, perhaps that of another job. To do
 * it again more than once would take one process after another.
 */
final class StuckRunException extends JobFailedException {
    private static final long serialVersionUID = 1L;

    StuckRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
