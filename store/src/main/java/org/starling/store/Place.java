package org.starling.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a node stands: the failure domains that it is in, the widest first and the host last, for
 * example {@code rack7/host3}. Nodes whose places begin alike fail together.
 *
 * @param path the domains' names with {@code /} between them; empty if nothing is known, and then
 *     the node shares a domain with nobody
 */
public record Place(String path) {
    /** Of a node of which nothing is known. */
    public static final Place UNKNOWN = new Place("");

    /** The most domains around a node, its host among them. */
    public static final int MAX_DOMAINS = 4;

    /** The longest path, in characters. */
    public static final int MAX_CHARACTERS = NodeInfo.MAX_HOST_CHARACTERS;

    private static final char SEPARATOR = '/';

    /**
     * Checks the path.
     *
     * @throws IllegalArgumentException if it has empty names, blanks, or too many of either
     */
    public Place {
        if (path.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "a place has at most %d characters".formatted(MAX_CHARACTERS));
        }
        if (!path.isEmpty()) {
            check(path);
        }
    }

    /**
     * Of a node that says nothing but how it is reached.
     *
     * @param host name or address; empty for one inside a process
     * @return a place that nodes of that host share
     */
    public static Place ofHost(String host) {
        StringBuilder name = new StringBuilder(host);
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == SEPARATOR || isNoPartOfAName(name.charAt(i))) {
                name.setCharAt(i, '_');
            }
        }
        return new Place(name.toString());
    }

    /**
     * Whether anything is known.
     *
     * @return false for a node that shares a domain with nobody
     */
    public boolean isKnown() {
        return !path.isEmpty();
    }

    /**
     * The domains that the node is in: its host first, then what is around that.
     *
     * @return paths, each the beginning of the one before; none if nothing is known
     */
    public List<String> domains() {
        List<String> domains = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf(SEPARATOR, end - 1)) {
            domains.add(path.substring(0, end));
        }
        return domains;
    }

    /** Whether there is no domain around one of {@link #domains()}. */
    static boolean isOutermost(String domain) {
        return domain.indexOf(SEPARATOR) < 0;
    }

    @Override
    public String toString() {
        return path;
    }

    private static void check(String path) {
        List<String> names = List.of(path.split("/", -1));
        if (names.size() > MAX_DOMAINS) {
            throw new IllegalArgumentException(
                    "a place has at most %d names, found \"%s\"".formatted(MAX_DOMAINS, path));
        }
        for (String name : names) {
            if (name.isEmpty() || name.chars().anyMatch(Place::isNoPartOfAName)) {
                throw new IllegalArgumentException(
                        "a place is names with / between them, like rack7/host3, found \"%s\""
                                .formatted(path));
            }
        }
    }

    private static boolean isNoPartOfAName(int character) {
        return Character.isWhitespace(character) || Character.isISOControl(character);
    }
}
