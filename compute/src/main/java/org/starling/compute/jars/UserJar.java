package org.starling.compute.jars;

import java.nio.file.Path;
import org.starling.graph.InvalidInputException;

/**
 * A jar as a file on this machine.
 *
 * @param digest the SHA-256 of its bytes, 64 hexadecimal digits in lower case
 * @param name what messages call it: the name of the file that was submitted
 * @param bytes its length
 * @param file where it lies
 */
public record UserJar(String digest, String name, long bytes, Path file) {
    /** The most characters of a name. */
    public static final int MAX_NAME_LENGTH = 200;

    private static final String DIGEST = "[0-9a-f]{64}";

    /** Checks digest and name. */
    public UserJar {
        checkDigest(digest);
        checkName(name);
    }

    /**
     * Checks that a text is a digest.
     *
     * @throws InvalidInputException if not
     */
    public static String checkDigest(String text) {
        if (!text.matches(DIGEST)) {
            throw new InvalidInputException(
                    "a jar is named by its digest, 64 hexadecimal digits in lower case; found \"%s\""
                            .formatted(text.substring(0, Math.min(text.length(), 80))));
        }
        return text;
    }

    /**
     * Checks that a text can be a jar's name.
     *
     * @throws InvalidInputException if not
     */
    public static String checkName(String text) {
        if (text.isBlank()
                || text.length() > MAX_NAME_LENGTH
                || text.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException(
                    "a jar's name has 1 to %d characters, none of them a control character"
                            .formatted(MAX_NAME_LENGTH));
        }
        return text;
    }
}
