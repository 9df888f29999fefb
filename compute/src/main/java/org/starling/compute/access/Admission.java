package org.starling.compute.access;

/** What an {@link AccessGate} says to somebody. */
public sealed interface Admission {
    /**
     * Somebody who is known.
     *
     * @param name of the token
     * @param role of the token
     */
    record Admitted(String name, AccessRole role) implements Admission {}

    /**
     * Nobody who is known.
     *
     * @param sentence says why, and what to do; nothing of the token is in it
     */
    record Refused(String sentence) implements Admission {}
}
