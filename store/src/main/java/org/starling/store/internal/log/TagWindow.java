package org.starling.store.internal.log;

import java.util.ArrayDeque;

/**
 * Knows from which position on the tags of overtaken changes are still worth keeping: those of the
 * last so many tagged changes of the zone, give or take a thousandth. A retry that comes later than
 * that is not recognised. Guarded by the lock of its log.
 */
final class TagWindow {
    private static final int MARKS = 64;

    private final int step;

    /** Position of every step-th tagged change, oldest first. */
    private final ArrayDeque<Long> marks = new ArrayDeque<>();

    private int sinceMark;

    /**
     * For a size.
     *
     * @param changes how many keep their tags
     */
    TagWindow(int changes) {
        step = Math.max(1, changes / MARKS);
    }

    /** Notes a tagged change; positions grow. */
    void add(long position) {
        if (sinceMark-- == 0) {
            sinceMark = step - 1;
            marks.addLast(position);
            if (marks.size() > MARKS + 1) {
                marks.removeFirst();
            }
        }
    }

    /** Whether the tag of a change is still worth keeping. */
    boolean keeps(long position) {
        return marks.size() <= MARKS || position >= marks.getFirst();
    }
}
