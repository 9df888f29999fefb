package org.starling.compute.cluster;

import java.util.Locale;
import org.starling.compute.script.JsonRecord;
import org.starling.graph.InvalidInputException;

/**
 * A line of a node's log.
 *
 * @param time when, in UTC as ISO 8601 writes it
 * @param level how urgent
 * @param logger the name of the class that says it
 * @param message a sentence; with what caused it in brackets, if anything has
 */
public record LogLine(String time, Level level, String logger, String message)
        implements JsonRecord {
    /** The most lines in an answer. */
    public static final int MAX_LINES = 1000;

    /** How urgent a line is, the most urgent first. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG;

        /**
         * As people write it.
         *
         * @throws InvalidInputException if there is no such level
         */
        public static Level of(String text) {
            for (Level level : values()) {
                if (level.toString().equals(text)) {
                    return level;
                }
            }
            throw new InvalidInputException(
                    "a level is error, warn, info or debug, found \"" + text + "\"");
        }

        /** Whether lines of this level are among those that are asked for by their least one. */
        public boolean isAtLeast(Level least) {
            return compareTo(least) <= 0;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
