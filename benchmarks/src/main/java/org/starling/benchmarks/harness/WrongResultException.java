package org.starling.benchmarks.harness;

/** What was measured gave a wrong result, so its figures are worth nothing. */
public final class WrongResultException extends RuntimeException {

    /** Says what was expected and what came. */
    public WrongResultException(String message) {
        super(message);
    }

    /** With a sentence and what led to it. */
    public WrongResultException(String message, Throwable cause) {
        super(message, cause);
    }
}
