package org.starling.compute.script;

import org.starling.graph.InvalidInputException;

/** A name or an id that leads to nothing. */
public final class UnknownNameException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    /** With a sentence for people. */
    public UnknownNameException(String message) {
        super(message);
    }
}
