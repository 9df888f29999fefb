package org.starling.net;

import org.jspecify.annotations.Nullable;

/** A failure of the messaging layer; the subclasses say which. */
public class NetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NetException(String message) {
        super(message);
    }

    public NetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
