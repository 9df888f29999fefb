package org.starling.loaders.table;

import java.nio.file.Path;
import org.starling.graph.InvalidInputException;

/** Bytes of a file are not what its format says. Whoever knows the file tells it by {@link #of}. */
final class MalformedTableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedTableException(String message) {
        super(message);
    }

    MalformedTableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The sentence for people. */
    InvalidInputException of(String format, Path file) {
        return new InvalidInputException(
                "%s: the %s file makes no sense: %s (write the file again)"
                        .formatted(file, format, getMessage()),
                this);
    }
}
