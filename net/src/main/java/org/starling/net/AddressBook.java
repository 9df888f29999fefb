package org.starling.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Knows where nodes listen. Asked on each new connection, from any thread. */
@FunctionalInterface
public interface AddressBook {

    /**
     * The address of a node, or null when there is no such node.
     *
     * @throws NodeUnknownException if there is no host of the name that is known for it
     */
    @Nullable InetSocketAddress addressOf(int nodeId);

    /**
     * Which of the nodes that have had an id one after the other has it now, as far as known. A
     * connection from an earlier one is refused, and so is an answer of any other. Asked for the id
     * of the network itself, too.
     *
     * @param nodeId an id
     * @return how often it was handed out before, 0 to 65535
     */
    default int incarnationOf(int nodeId) {
        return 0;
    }

    /**
     * A node has proven itself that has an id after the one that is known. From now on it is the
     * one that is known, its address is not until somebody tells it, and the connections to the
     * earlier one end. Does not wait.
     *
     * @param nodeId an id
     * @param incarnation greater than {@link #incarnationOf}
     */
    default void called(int nodeId, int incarnation) {}

    /**
     * Whether it is not certain who is at the address that is known for a node, so that it is worth
     * a tenth of a second to find out.
     *
     * @param nodeId an id
     * @return true for a guess
     */
    default boolean isGuess(int nodeId) {
        return false;
    }

    /**
     * Another node than the one that was called at a guess has answered, and has proven itself.
     * Does not wait.
     *
     * @param nodeId the id that was called
     * @param actual the id of who has answered
     */
    default void answered(int nodeId, int actual) {}
}
