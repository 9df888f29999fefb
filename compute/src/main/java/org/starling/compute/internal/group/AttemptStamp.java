package org.starling.compute.internal.group;

import java.security.SecureRandom;
import org.starling.compute.internal.protocol.Attempt;

/**
 * What names of files carry that one attempt of a job writes: its number and four bytes by chance,
 * so that no attempt touches what another has written. Immutable.
 *
 * @param attempt the number
 * @param text number and bytes in hexadecimal digits
 */
record AttemptStamp(long attempt, String text) {
    /** A regular expression of its text. */
    static final String PATTERN = "[0-9a-f]{1,16}-[0-9a-f]{8}";

    /** A new one. */
    static AttemptStamp of(long attempt) {
        return new AttemptStamp(
                attempt, "%x-%08x".formatted(attempt, new SecureRandom().nextInt()));
    }

    /** Whether another one is of an attempt of the same job before this one. */
    boolean isBehind(String other) {
        long number = Long.parseUnsignedLong(other.substring(0, other.indexOf('-')), 16);
        return Long.compareUnsigned(number, attempt) < 0
                && Attempt.job(Attempt.term(number)) == Attempt.job(Attempt.term(attempt));
    }
}
