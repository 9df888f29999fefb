package org.starling.net;

/** As many requests of this node wait for answers as may. Nothing was sent. */
public final class TooManyRequestsException extends NetException {

    private static final long serialVersionUID = 1L;

    public TooManyRequestsException(String message) {
        super(message);
    }
}
