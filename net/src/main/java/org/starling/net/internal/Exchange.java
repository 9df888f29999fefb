package org.starling.net.internal;

import org.starling.net.MalformedMessageException;
import org.starling.net.NetConfig;
import org.starling.net.NodeLostException;

/**
 * What a transport talks to: the node that it carries the messages of. Nothing of it is called by
 * anybody else, and nothing else is called by a transport.
 */
public interface Exchange {

    /** Declares the calling thread to be the receiving thread. */
    void enterReceivingThread();

    boolean isReceivingThread();

    /**
     * Housekeeping of the receiving thread, to be called in every round; returns how much there was
     * to do.
     */
    int doWork();

    /**
     * A peer has connected to this node; an older connection of the same peer is lost.
     *
     * @throws NodeLostException when this node is being closed
     */
    IncomingLink accept(int peer);

    /** A link is connected. */
    void opened(OutgoingLink link);

    /**
     * A link is broken: takes both directions out, ends requests, tells listeners; once, however
     * many threads notice.
     */
    void lost(Link link, String reason);

    /**
     * The peer has said goodbye on a link, and all before it is taken up: the transport is asked to
     * send what {@link IncomingLink#takeConfirmation} now gives. Once or more, on the receiving
     * thread.
     */
    void departed(IncomingLink link);

    /** The farewell to a departed peer has left: the link can be closed. */
    void parted(IncomingLink link);

    /** A peer has sent bytes that make no sense. */
    void malformed(Link link, MalformedMessageException cause);

    /** Somebody who is no node of this cluster, or no node at all, was turned away. */
    void refused(String reason);

    /**
     * The receiving thread ends of something that nobody has foreseen, and nothing can come in any
     * more: all nodes are lost. On that thread; the network still is to be closed.
     */
    void failed(Throwable cause);

    /** The transport has taken native memory, or given it back if {@code bytes} is negative. */
    void transportHolds(long bytes);

    int nodeId();

    NetConfig config();

    Limits limits();

    /** The buffers that the transport receives into. */
    ReceiveBufferPool buffers();

    /** Whether the receiving thread has something to look after that nobody wakes it for. */
    boolean hasChores();

    boolean hasOverflow();

    Links links();
}
