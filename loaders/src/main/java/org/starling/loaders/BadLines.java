package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;

/** Lines of one part that make no sense: they end the load, or are counted. For one thread. */
final class BadLines {
    /** Parameter that says which: {@code fail} or {@code skip}. */
    static final String PARAMETER = "badLines";

    private final boolean skips;
    private final LongArrayList first = new LongArrayList();
    private long count;

    BadLines(boolean skips) {
        this.skips = skips;
    }

    /** Whether a source is told to count them. */
    static boolean isSkip(Parameters parameters) {
        return parameters.text(PARAMETER, "fail").equals("skip");
    }

    /** Whether they are counted. What is wrong with each need not be said then. */
    boolean skips() {
        return skips;
    }

    /** What is thrown at a line whose mistake nobody asks for. */
    static InvalidInputException unsaid() {
        return new InvalidInputException("a line that is passed over");
    }

    /** Counts a line that begins at an offset; false if it is to end the load. */
    boolean pass(long offset) {
        if (!skips) {
            return false;
        }
        count++;
        if (first.size() < PartSummary.MAX_FIRST_SKIPPED) {
            first.add(offset);
        }
        return true;
    }

    /** What a part held in which so many lines of data stood. */
    PartSummary summary(long lines, long data) {
        return new PartSummary(lines, 0, data - count, 0, count, first.toLongArray());
    }
}
