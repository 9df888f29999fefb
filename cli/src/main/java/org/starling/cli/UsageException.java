package org.starling.cli;

/** A command line that makes no sense. The message is one sentence for people. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
