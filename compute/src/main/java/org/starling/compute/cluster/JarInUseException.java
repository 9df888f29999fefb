package org.starling.compute.cluster;

import org.starling.graph.InvalidInputException;

/** A jar can't be removed, because a job needs it. */
public final class JarInUseException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    JarInUseException(String message) {
        super(message);
    }
}
