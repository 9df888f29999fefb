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
        return of(name, arguments, Integer.MIN_VALUE);
    }

    /**
     * The argument of that name.
     *
     * @throws InvalidInputException if it is below {@code least} or beyond 32 bits
     */
    static int of(String name, Parameters arguments, int least) {
        long value = arguments.integer(name);
        if (value < least) {
            throw new InvalidInputException(
                    "\"%s\" must be at least %d, found %d".formatted(name, least, value));
        }
        if (value != (int) value) {
            throw new InvalidInputException(
                    "\"%s\" must be at most %d, found %d"
                            .formatted(name, Integer.MAX_VALUE, value));
        }
        return (int) value;
    }

    /**
     * The argument of that name.
     *
     * @throws InvalidInputException if it is below {@code least} or above {@code most}
     */
    static long within(String name, Parameters arguments, long least, long most) {
        long value = arguments.integer(name);
        if (value < least || value > most) {
            throw new InvalidInputException(
                    "\"%s\" must be from %d to %d, found %d".formatted(name, least, most, value));
        }
        return value;
    }
}
