package org.starling.compute.jars;

import org.starling.graph.InvalidInputException;

/**
 * What a cluster's configuration says of code of users.
 *
 * @param allowed whether jobs may bring jars
 * @param maxBytes length of the largest jar
 */
public record JarRules(boolean allowed, long maxBytes) {
    /** Smallest bound of a jar's length that can be configured. */
    public static final long MIN_BYTES = 1L << 10;

    /** Largest bound of a jar's length that can be configured. */
    public static final long MAX_BYTES = 512L << 20;

    /** Most jars of one job. */
    public static final int MAX_JARS_OF_JOB = 16;

    /** Most jars that a cluster keeps. */
    public static final int MAX_JARS_KEPT = 256;

    /** What holds where nothing is said: jars of up to 64 MiB. */
    public static final JarRules DEFAULT = new JarRules(true, 64L << 20);

    private static final long MEBI = 1L << 20;

    /** Checks the bound. */
    public JarRules {
        if (maxBytes < MIN_BYTES || maxBytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "jars must have %d to %d bytes at most, not %d"
                            .formatted(MIN_BYTES, MAX_BYTES, maxBytes));
        }
    }

    /**
     * Checks that jars may be brought at all.
     *
     * @throws InvalidInputException if not
     */
    public void checkAllowed() {
        if (!allowed) {
            throw new InvalidInputException(
                    "code of users is switched off here: leave out --jar, or set \"userCode\" to true in the configuration");
        }
    }

    /**
     * Checks a jar's length before a byte of it is read.
     *
     * @throws InvalidInputException if it is too large
     */
    public void checkSize(String name, long bytes) {
        if (bytes > maxBytes) {
            throw new InvalidInputException(
                    "%s has %s, and a jar may have %s here; leave out what it does not need, or raise \"maxJarBytes\" in the configuration"
                            .formatted(name, size(bytes), size(maxBytes)));
        }
    }

    private static String size(long bytes) {
        return bytes < MEBI ? bytes + " bytes" : (bytes + MEBI - 1) / MEBI + " MiB";
    }
}
