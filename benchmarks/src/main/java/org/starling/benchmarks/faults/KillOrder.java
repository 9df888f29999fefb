package org.starling.benchmarks.faults;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/**
 * Whom to kill, and where in a job.
 *
 * @param master whether the master is meant; else one of the other peers
 * @param place {@code task=1}; {@code superstep=3} or {@code write=2}, perhaps of one task: {@code
 *     task=4,superstep=3}
 */
record KillOrder(boolean master, String place) {
    private static final Pattern WORDS =
            Pattern.compile(
                    "(slave|master)@(task=\\d{1,9}|(task=\\d{1,9},)?(superstep|write)=\\d{1,9})");

    /**
     * Reads words like {@code slave@superstep=3}.
     *
     * @throws InvalidInputException if they are others
     */
    static KillOrder parse(String words) {
        Matcher matcher = WORDS.matcher(words);
        if (!matcher.matches()) {
            throw new InvalidInputException(
                    "expected slave@superstep=N, slave@write=N, slave@task=N, slave@task=N,superstep=N, or the same of master, found \"%s\""
                            .formatted(words));
        }
        return new KillOrder(matcher.group(1).equals("master"), matcher.group(2));
    }

    /** As fault points and people know it. */
    String words() {
        return (master ? "master@" : "slave@") + place;
    }
}
