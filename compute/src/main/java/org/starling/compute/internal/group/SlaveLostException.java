package org.starling.compute.internal.group;

/** A slave does not answer, or another one could not reach it: the group must be made anew. */
final class SlaveLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int node;

    /**
     * For a slave.
     *
     * @param node its id, or -1 where only another slave knows
     */
    SlaveLostException(int node, String message, Throwable cause) {
        super(message, cause);
        this.node = node;
    }

    /** The lost node, or -1. */
    int node() {
        return node;
    }
}
