package org.starling.net;

/**
 * A request came to a node and failed there: its server threw, and the message carries the class
 * and text of its exception; or it has no server, or none yet.
 */
public final class RemoteException extends NetException {

    private static final long serialVersionUID = 1L;

    private final int node;

    public RemoteException(int node, String message) {
        super(message);
        this.node = node;
    }

    /** The node concerned. */
    public int node() {
        return node;
    }
}
