package org.starling.net;

/** No response came in time. The request may or may not have been carried out. */
public final class RequestTimeoutException extends NetException {

    private static final long serialVersionUID = 1L;

    private final int node;

    public RequestTimeoutException(int node, String message) {
        super(message);
        this.node = node;
    }

    /** The node concerned. */
    public int node() {
        return node;
    }
}
