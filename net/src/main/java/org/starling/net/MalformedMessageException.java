package org.starling.net;

/** Bytes that are no message: too short, too long, or holding what no exporter writes. */
public final class MalformedMessageException extends NetException {

    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
