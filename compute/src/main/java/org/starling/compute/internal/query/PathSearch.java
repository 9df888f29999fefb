package org.starling.compute.internal.query;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A shortest path by breadth-first search from both ends at once (Pohl 1971): the side with fewer
 * vertices in its frontier takes the next step, until one comes to a vertex of the other.
 *
 * <p>Of several shortest paths it finds the first one when they are compared vertex by vertex, from
 * the source on, by ordinals. The forward side keeps its frontier in the order of the paths that
 * lead there: rows ascend, so a vertex is reached first by the first of its paths, and vertices are
 * found in the order of theirs. The backward side steps from its vertices in ascending order, so
 * each remembers the smallest successor that is on a shortest path. Both sides finish whole steps,
 * but for a forward one whose first meeting is the first of all.
 *
 * <p>Without rows of incoming edges only the forward side steps. Confined to one thread.
 */
final class PathSearch {
    private final Rows rows;
    private final boolean backwards;
    private final int maxVertices;
    private final VisitedVertices forward = new VisitedVertices();
    private final VisitedVertices backward = new VisitedVertices();

    /** Reads rows. */
    interface Rows {
        /**
         * Reads the rows of some vertices, one after the other.
         *
         * @param incoming whether those of incoming edges are meant
         * @return false if the sink has had enough, or the time is over
         */
        boolean read(long[] ordinals, boolean incoming, Sink sink);
    }

    /** Gets what was read. */
    interface Sink {
        /**
         * A neighbour.
         *
         * @param index of the vertex whose row it is of
         * @return false if nothing more is needed
         */
        boolean neighbour(int index, long ordinal);
    }

    /**
     * What was found.
     *
     * @param path ordinals from the source to the target; null if none was found
     * @param complete whether all was searched that needed to be
     * @param visited vertices that the search came to
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(long @Nullable [] path, boolean complete, long visited) {}

    /**
     * A search.
     *
     * @param backwards whether there are rows of incoming edges
     * @param maxVertices most vertices to come to
     */
    PathSearch(Rows rows, boolean backwards, int maxVertices) {
        this.rows = rows;
        this.backwards = backwards;
        this.maxVertices = maxVertices;
    }

    /** Searches. */
    Found find(long source, long target) {
        forward.add(source, -1);
        backward.add(target, -1);
        if (source == target) {
            return found(0, 0);
        }
        int forwardFirst = 0;
        int backwardFirst = 0;
        while (true) {
            int ahead = forward.size() - forwardFirst;
            int behind = backward.size() - backwardFirst;
            if (ahead == 0 || behind == 0) {
                return new Found(null, true, visited());
            }
            boolean back = backwards && behind < ahead;
            Step step = back ? stepBack(backwardFirst) : stepAhead(forwardFirst);
            if (!step.whole && step.meeting < 0) {
                return new Found(null, false, visited());
            }
            int meeting = back ? firstMeeting(forwardFirst, backwardFirst + behind) : step.meeting;
            if (meeting >= 0) {
                return found(meeting, backward.indexOf(forward.ordinal(meeting)));
            }
            backwardFirst += back ? behind : 0;
            forwardFirst += back ? 0 : ahead;
        }
    }

    /** How a step ended; a meeting is an index of the forward side, or -1. */
    private record Step(boolean whole, int meeting) {}

    /** In the order of paths; ends with the first vertex of the other side. */
    private Step stepAhead(int first) {
        long[] frontier = new long[forward.size() - first];
        Arrays.setAll(frontier, i -> forward.ordinal(first + i));
        int[] meeting = {-1};
        boolean whole =
                rows.read(
                        frontier,
                        false,
                        (index, ordinal) -> {
                            boolean meets = backward.indexOf(ordinal) >= 0;
                            if (!meets && isFull()) {
                                return forward.indexOf(ordinal) >= 0;
                            }
                            if (forward.add(ordinal, first + index) && meets) {
                                meeting[0] = forward.size() - 1;
                                return false;
                            }
                            return true;
                        });
        return new Step(whole, meeting[0]);
    }

    /** In the order of ordinals; always to the end. */
    private Step stepBack(int first) {
        long[] frontier = new long[backward.size() - first];
        Arrays.setAll(frontier, i -> backward.ordinal(first + i));
        Arrays.sort(frontier); // ordinals are not negative
        int[] indexes = Arrays.stream(frontier).mapToInt(backward::indexOf).toArray();
        boolean whole =
                rows.read(
                        frontier,
                        true,
                        (index, ordinal) -> {
                            if (isFull()) {
                                return backward.indexOf(ordinal) >= 0;
                            }
                            backward.add(ordinal, indexes[index]);
                            return true;
                        });
        return new Step(whole, -1);
    }

    /** The first vertex of the forward frontier that the last step of the other side came to. */
    private int firstMeeting(int frontier, int reached) {
        for (int i = frontier; i < forward.size(); i++) {
            if (backward.indexOf(forward.ordinal(i)) >= reached) {
                return i;
            }
        }
        return -1;
    }

    private Found found(int meeting, int meetingBack) {
        int length = 0;
        for (int i = meeting; i >= 0; i = forward.before(i)) {
            length++;
        }
        int ahead = length;
        for (int i = backward.before(meetingBack); i >= 0; i = backward.before(i)) {
            length++;
        }
        long[] path = new long[length];
        int at = ahead;
        for (int i = meeting; i >= 0; i = forward.before(i)) {
            path[--at] = forward.ordinal(i);
        }
        at = ahead;
        for (int i = backward.before(meetingBack); i >= 0; i = backward.before(i)) {
            path[at++] = backward.ordinal(i);
        }
        return new Found(path, true, visited());
    }

    private boolean isFull() {
        return visited() >= maxVertices;
    }

    private long visited() {
        return (long) forward.size() + backward.size();
    }
}
