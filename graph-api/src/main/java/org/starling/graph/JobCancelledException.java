package org.starling.graph;

/** A job that was told to stop. */
public final class JobCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a sentence for people. */
    public JobCancelledException(String message) {
        super(message);
    }
}
