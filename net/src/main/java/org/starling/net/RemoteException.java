package org.starling.net;

/** The server of a request failed; the message carries the class and text of its exception. */
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
