package org.starling.net;

import org.jspecify.annotations.Nullable;

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

    /**
     * Answers what needs neither waiting nor much work, and so no worker. Asked first, on the
     * receiving thread, if the server does not run there anyway; not for large requests, nor while
     * answers of that thread wait for room, which a worker would wait for.
     *
     * @return the answer, or null for {@link #serve} to be called as registered
     */
    default @Nullable R answerAtOnce(int source, Q request) {
        return null;
    }
}
