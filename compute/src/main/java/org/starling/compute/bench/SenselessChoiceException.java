package org.starling.compute.bench;

/** Choices that make no sense together. The message is one sentence for people. */
public final class SenselessChoiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a sentence for people. */
    public SenselessChoiceException(String message) {
        super(message);
    }
}
