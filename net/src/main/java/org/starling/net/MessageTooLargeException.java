package org.starling.net;

/** A message is larger than it may be; nothing was sent. */
public final class MessageTooLargeException extends NetException {

    private static final long serialVersionUID = 1L;

    public MessageTooLargeException(String message) {
        super(message);
    }
}
