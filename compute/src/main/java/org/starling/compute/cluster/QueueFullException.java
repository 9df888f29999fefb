package org.starling.compute.cluster;

/** A cluster takes no more jobs now. The message says how many wait, and what to do. */
public final class QueueFullException extends ClusterException {
    private static final long serialVersionUID = 1;

    /** With a sentence. */
    public QueueFullException(String message) {
        super(message);
    }
}
