package org.starling.compute;

import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;
import org.starling.store.NodeInfo;
import org.starling.store.Role;

/**
 * Name of a compute group: peers that jobs can be sent to by name. Immutable.
 *
 * <p>A peer carries the name of its group among its capabilities in the directory, as a number: a
 * digit of base {@value #BASE} for each character, 0 for none, so that {@link #DEFAULT}, whose
 * number is 0 by itself, is the group of peers that say nothing.
 *
 * @param text 1 to {@value #MAX_CHARACTERS} small letters, digits and hyphens
 */
public record GroupName(String text) {
    /** Longest name. */
    public static final int MAX_CHARACTERS = 11;

    private static final String DIGITS = "\0abcdefghijklmnopqrstuvwxyz0123456789-";
    private static final int BASE = 38;

    /** The capabilities below and above are others'. */
    private static final int SHIFT = 2;

    private static final long MASK = (1L << 58) - 1; // 38^11 < 2^58
    private static final Pattern FORM = Pattern.compile("[a-z0-9-]{1," + MAX_CHARACTERS + "}");

    /** The group of peers for which nothing is said. */
    public static final GroupName DEFAULT = new GroupName("default");

    /**
     * Checks the name.
     *
     * @throws InvalidInputException if it is none
     */
    public GroupName {
        if (!FORM.matcher(text).matches()) {
            throw new InvalidInputException(
                    "\"%s\" is no name of a group; take 1 to %d small letters, digits and hyphens"
                            .formatted(text, MAX_CHARACTERS));
        }
    }

    /** The group of a peer. */
    public static GroupName of(NodeInfo peer) {
        StringBuilder name = new StringBuilder();
        for (long rest = peer.capabilities() >>> SHIFT & MASK; rest != 0; rest /= BASE) {
            name.append(DIGITS.charAt((int) (rest % BASE)));
        }
        return name.isEmpty() ? DEFAULT : new GroupName(name.toString());
    }

    /** Whether a node belongs to the group and computes. */
    public boolean has(NodeInfo node) {
        return node.role() == Role.PEER && node.computes() && of(node).equals(this);
    }

    /** The name among a peer's capabilities. */
    public long capabilities() {
        if (equals(DEFAULT)) {
            return 0;
        }
        long number = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            number = number * BASE + DIGITS.indexOf(text.charAt(i));
        }
        return number << SHIFT;
    }

    @Override
    public String toString() {
        return text;
    }
}
