package org.starling.net;

/**
 * Answers requests later, from any thread.
 *
 * @param <Q> the request
 * @param <R> the response
 */
@FunctionalInterface
public interface AsyncServer<Q extends Request<R>, R extends Message> {

    /**
     * Takes one request of node {@code source}; {@code responder} is used once, now or later.
     *
     * @throws Exception to answer with a failure
     */
    void serve(int source, Q request, Responder<R> responder) throws Exception;
}
