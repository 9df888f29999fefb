package org.starling.compute.internal.group;

import org.jspecify.annotations.Nullable;
import org.starling.graph.JobFailedException;

/**
 * A run has failed, and work does not stop on one of its slaves, perhaps that of another job. To do
 * it again and again would take one process after another.
 */
final class StuckRunException extends JobFailedException {
    private static final long serialVersionUID = 1L;

    StuckRunException(String message) {
        super(message);
    }

    StuckRunException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What a failure says of work that does not stop; null if nothing. */
    static @Nullable StuckRunException of(RuntimeException failure) {
        if (failure instanceof StuckRunException stuck) {
            return stuck;
        }
        for (Throwable beside : failure.getSuppressed()) {
            if (beside instanceof StuckRunException stuck) {
                return stuck;
            }
        }
        return null;
    }
}
