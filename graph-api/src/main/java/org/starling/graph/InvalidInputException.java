package org.starling.graph;

/**
 * Data, script, configuration or arguments that make no sense. The message is one sentence for
 * people: what happened, where, and what to do.
 */
public class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a sentence for people. */
    public InvalidInputException(String message) {
        super(message);
    }

    /** With a sentence for people and what was found underneath. */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
