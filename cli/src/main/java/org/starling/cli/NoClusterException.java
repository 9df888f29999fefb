package org.starling.cli;

/** A cluster that can't be started or reached. The message is one sentence for people. */
final class NoClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoClusterException(String message) {
        super(message);
    }

    NoClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
