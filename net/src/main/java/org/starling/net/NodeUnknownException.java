package org.starling.net;

/** There is no node of this id: the address book or hub does not know it. */
public final class NodeUnknownException extends NetException {

    private static final long serialVersionUID = 1L;

    private final int node;

    public NodeUnknownException(int node, String message) {
        super(message);
        this.node = node;
    }

    /** The node concerned. */
    public int node() {
        return node;
    }
}
