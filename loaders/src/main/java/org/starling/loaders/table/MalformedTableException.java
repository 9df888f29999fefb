package org.starling.loaders.table;

/** Bytes of a file are not what its format says. Whoever knows the file adds its name. */
final class MalformedTableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedTableException(String message) {
        super(message);
    }

    MalformedTableException(String message, Throwable cause) {
        super(message, cause);
    }
}
