package org.starling.store;

import org.jspecify.annotations.Nullable;

/**
 * Nobody has served the chunk for as long as an operation waits for that: its owner can't be
 * reached, and no other node has taken over. The operation has not changed the chunk, which may be
 * served again in a moment.
 */
public class UnservedException extends StoreException {
    /**
     * With a message.
     *
     * @param message one sentence for people
     * @param cause why the last attempt failed
     */
    public UnservedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
