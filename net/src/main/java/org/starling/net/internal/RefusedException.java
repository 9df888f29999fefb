package org.starling.net.internal;

import java.io.IOException;

/** This end will not talk with the other end of a socket; the message says why. */
final class RefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
        super(reason);
    }

    RefusedException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
