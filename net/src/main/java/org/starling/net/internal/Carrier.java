package org.starling.net.internal;

import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starling.net.NodeUnknownException;

/**
 * Carries the bytes of links to other nodes: a transport as its messenger sees it. Links are its
 * own from {@link #connect} until {@link #disconnect}.
 */
public interface Carrier {

    /**
     * Begins to connect a link; tells the messenger when it is open or lost. Never waits.
     *
     * @throws NodeUnknownException when there is no such node
     */
    void connect(OutgoingLink link);

    /**
     * A link has work: an outgoing one has committed bytes, an incoming one has a confirmation to
     * send. Any thread; never waits for the peer.
     */
    void signal(Link link);

    /**
     * Like {@link #signal} for a link whose sender waits or is done with a run: its bytes should
     * leave now.
     */
    default void flush(Link link) {
        signal(link);
    }

    /**
     * Takes in on the calling thread the answer to its own request, if that is the only one under
     * way, until it is there or that takes long, if now is a time for that; nothing else is taken
     * in.
     *
     * @param answer what the calling thread is going to wait for
     * @return whether it has done so; the answer need not be there
     */
    default boolean receiveUntil(Future<?> answer) {
        return false;
    }

    /**
     * Breaks a link that the messenger has closed; committed bytes of a retired link leave first.
     * Any thread.
     */
    void disconnect(Link link);

    /**
     * True if bytes are read from rings by another node of this process. They are in the cache of
     * its core then, where the sender must take them from anyway; to ask for them before they are
     * overwritten would only ask twice.
     */
    default boolean readsRingsInPlace() {
        return false;
    }

    /**
     * Room that suits the outgoing rings of its links, a power of two of at least {@link
     * Limits#DEFAULT_RING_BYTES}.
     */
    default int ringBytes() {
        return Limits.DEFAULT_RING_BYTES;
    }

    /** Where it listens, or null when it has no addresses. */
    default @Nullable InetSocketAddress localAddress() {
        return null;
    }

    /** What it is, and the settings in force, in a few words for people; after its start. */
    String description();

    /** Breaks all links and ends the receiving thread; returns when it has ended. */
    void close();
}
