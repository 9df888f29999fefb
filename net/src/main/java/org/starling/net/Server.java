package org.starling.net;

/**
 * Answers requests.
 *
 * @param <Q> the request
 * @param <R> the response
 */
@FunctionalInterface
public interface Server<Q extends Request<R>, R extends Message> {

    /**
     * Answers one request of node {@code source}.
     *
     * @throws Exception to make the requester's call fail with a {@link RemoteException} of the
     *     same text
     */
    R serve(int source, Q request) throws Exception;
}
