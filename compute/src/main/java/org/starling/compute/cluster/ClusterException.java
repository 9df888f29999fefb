package org.starling.compute.cluster;

/**
 * A cluster that can't be started or reached, or can't do now what was asked. The message is one
 * sentence for people.
 */
public class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a sentence for people. */
    public ClusterException(String message) {
        super(message);
    }

    /** With a sentence for people and what was found underneath. */
    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
