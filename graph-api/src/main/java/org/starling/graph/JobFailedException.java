package org.starling.graph;

/**
 * A job that cannot go on: user code threw, a check failed, a bound was reached. The message is one
 * sentence for people.
 */
public class JobFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a sentence for people. */
    public JobFailedException(String message) {
        super(message);
    }

    /** With a sentence for people and what was found underneath. */
    public JobFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
