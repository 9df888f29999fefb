package org.starling.net;

/**
 * The connection to a node broke or could not be made. What was sent and not answered may or may
 * not have arrived.
 */
public final class NodeLostException extends NetException {

    private static final long serialVersionUID = 1L;

    private final int node;

    public NodeLostException(int node, String message) {
        super(message);
        this.node = node;
    }

    /** The node concerned. */
    public int node() {
        return node;
    }
}
