package org.starling.net;

/**
 * Takes messages that are not answered.
 *
 * @param <M> the message
 */
@FunctionalInterface
public interface Handler<M extends Message> {

    /** Handles one message of node {@code source}; an exception is logged and counted. */
    void on(int source, M message);
}
