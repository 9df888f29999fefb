package org.starling.benchmarks.faults;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/**
 * Whom to kill, and where in a job.
 *
 * @param master whether the master is meant; else one of the other peers
 * @param place {@code task=1}; {@code superstep=3} or {@code write=2}, perhaps of one task: {@code
 *     task=4,superstep=3}; or {@code millis=700}, wherever that is
 */
record KillOrder(boolean master, String place) {
    private static final String MILLIS = "millis=";

    private static final Pattern WORDS =
            Pattern.compile(
                    "(slave|master)@(millis=\\d{1,9}|task=\\d{1,9}|(task=\\d{1,9},)?(superstep|write)=\\d{1,9})");

    /**
     * Reads words like {@code slave@superstep=3}.
     *
     * @throws InvalidInputException if they are others
     */
    static KillOrder parse(String words) {
        Matcher matcher = WORDS.matcher(words);
        if (!matcher.matches()) {
            throw new InvalidInputException(
                    "expected slave@superstep=N, slave@write=N, slave@task=N, slave@task=N,superstep=N, slave@millis=N, or the same of master, found \"%s\""
                            .formatted(words));
        }
        return new KillOrder(matcher.group(1).equals("master"), matcher.group(2));
    }

    /** How long after the beginning of the jobs, if it says no other place. */
    Optional<Duration> delay() {
        return place.startsWith(MILLIS)
                ? Optional.of(Duration.ofMillis(Long.parseLong(place.substring(MILLIS.length()))))
                : Optional.empty();
    }

    /** As fault points and people know it. */
    String words() {
        return (master ? "master@" : "slave@") + place;
    }
}
