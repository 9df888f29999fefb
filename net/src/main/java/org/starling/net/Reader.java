package org.starling.net;

/**
 * Reads one message back from its bytes, usually a static method reference.
 *
 * @param <M> the message
 */
@FunctionalInterface
public interface Reader<M> {

    /**
     * Reads the fields in the order in which {@link Message#write} wrote them. Runs on the
     * receiving thread.
     *
     * @throws MalformedMessageException when the bytes make no message; the connection they came
     *     over is closed
     */
    M read(Importer in);
}
