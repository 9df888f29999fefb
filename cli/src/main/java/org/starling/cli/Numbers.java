package org.starling.cli;

import java.util.Map;
import org.apache.commons.cli.CommandLine;

/** Numbers on the command line. */
final class Numbers {
    private Numbers() {}

    /**
     * The value of an option, or {@code otherwise} if it was not given.
     *
     * @throws UsageException if it is no whole number from {@code min} to {@code max}
     */
    static long integer(CommandLine line, String option, long otherwise, long min, long max) {
        String text = line.getOptionValue(option);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException none) {
            throw wrong(option, text, min, max);
        }
        throw wrong(option, text, min, max);
    }

    /**
     * The value of an option.
     *
     * @throws UsageException if it was not given or is no whole number from {@code min} to {@code
     *     max}
     */
    static long required(CommandLine line, String option, long min, long max) {
        if (!line.hasOption(option)) {
            throw new UsageException("--" + option + " is missing");
        }
        return integer(line, option, 0, min, max);
    }

    /** Hands an option on to a task that knows its bounds. */
    static void putIfGiven(CommandLine line, String option, Map<String, Object> task) {
        if (line.hasOption(option)) {
            task.put(option, integer(line, option, 0, Long.MIN_VALUE, Long.MAX_VALUE));
        }
    }

    private static UsageException wrong(String option, String text, long min, long max) {
        return new UsageException(
                "--%s must be a whole number from %d to %d, found \"%s\""
                        .formatted(option, min, max, text));
    }
}
