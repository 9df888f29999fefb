package org.starling.net;

import org.jspecify.annotations.Nullable;

/**
 * This machine lacks what the chosen transport needs: a library, or an adapter. The message is one
 * sentence that says what is missing and what to do; no other transport is taken instead.
 */
public final class TransportUnavailableException extends NetException {

    private static final long serialVersionUID = 1L;

    public TransportUnavailableException(String message) {
        super(message);
    }

    public TransportUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
