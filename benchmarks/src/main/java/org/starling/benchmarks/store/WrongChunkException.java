package org.starling.benchmarks.store;

/** A chunk is not what was written: the bench measured something that does not work. */
final class WrongChunkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongChunkException(String message) {
        super(message);
    }

    WrongChunkException(String message, Throwable cause) {
        super(message, cause);
    }
}
