package org.starling.net;

/**
 * Answers one request, once; a second answer is refused with {@link IllegalStateException}.
 * Thread-safe.
 *
 * @param <R> the response
 */
public interface Responder<R extends Message> {

    /** Sends the response; a requester that is gone meanwhile is no error. */
    void respond(R response);

    /**
     * Makes the requester's call fail with a {@link RemoteException} that carries the cause's class
     * and text.
     */
    void fail(Throwable cause);
}
