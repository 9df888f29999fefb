package org.starling.net;

/**
 * A message that is answered with one message of type {@code R}.
 *
 * @param <R> the response
 */
public interface Request<R extends Message> extends Message {

    /** The type of the response; the requester reads the answer with its reader. */
    MessageType<R> responseType();
}
