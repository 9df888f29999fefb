package org.starling.compute.internal.group;

import org.starling.graph.JobFailedException;

/**
 * A run has failed, and work of it does not stop. To do it again would take one process after
 * another.
 */
final class StuckRunException extends JobFailedException {
    private static final long serialVersionUID = 1L;

    StuckRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
