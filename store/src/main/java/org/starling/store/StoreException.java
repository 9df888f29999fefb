package org.starling.store;

import org.jspecify.annotations.Nullable;

/**
 * An operation of the store that did not take effect (only {@link IndeterminateException} leaves
 * that open). The message is one sentence: what happened, where, and what to do.
 */
public class StoreException extends RuntimeException {
    /**
     * With a message.
     *
     * @param message one sentence for people
     */
    public StoreException(String message) {
        super(message);
    }

    /**
     * With a message and what led to it.
     *
     * @param message one sentence for people
     * @param cause what led to it
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
