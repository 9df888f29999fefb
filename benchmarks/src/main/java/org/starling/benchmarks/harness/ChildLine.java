package org.starling.benchmarks.harness;

/**
 * What a child JVM writes on its standard output: one line for each answer, a word and a text.
 *
 * <pre>
 *   done TEXT       the request is done; TEXT is its result, may be empty
 *   refused TEXT    what was asked makes no sense here, in one sentence
 *   failed TEXT     the work failed, in one sentence
 * </pre>
 */
final class ChildLine {
    static final String DONE = "done ";
    static final String REFUSED = "refused ";
    static final String FAILED = "failed ";

    /** Longest line in either direction. */
    static final int MAX_CHARACTERS = 1 << 20;

    /** Lines that wait to be taken, on either side. */
    static final int MAX_WAITING = 1024;

    private ChildLine() {}

    /** The text, if it fits on one line. */
    static String checked(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("the text has more than one line: " + text);
        }
        if (text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "%d characters are more than a line may have (%d)"
                            .formatted(text.length(), MAX_CHARACTERS));
        }
        return text;
    }
}
