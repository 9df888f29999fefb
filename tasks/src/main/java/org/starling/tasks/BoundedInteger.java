package org.starling.tasks;

import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Whole-number arguments that algorithms take as {@code int}. */
final class BoundedInteger {
    private BoundedInteger() {}

    /**
     * The argument of that name.
     *
     * @throws InvalidInputException if it is beyond 32 bits
     */
    static int of(String name, Parameters arguments) {
        long value = arguments.integer(name);
        if (value != (int) value) {
            throw new InvalidInputException(
                    "\"%s\" must be at most %d, found %d"
                            .formatted(name, Integer.MAX_VALUE, value));
        }
        return (int) value;
    }
}
