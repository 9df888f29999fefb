package org.starling.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Knows where nodes listen. Asked on each new connection, from any thread. */
@FunctionalInterface
public interface AddressBook {

    /** The address of a node, or null when there is no such node. */
    @Nullable InetSocketAddress addressOf(int nodeId);
}
