package org.starling.store;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a write is unknown: it happened wholly or not at all, but its acknowledgement did
 * not arrive.
 */
public final class IndeterminateException extends StoreException {
    /**
     * With a message and what led to it.
     *
     * @param message one sentence for people
     * @param cause what led to it
     */
    public IndeterminateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
