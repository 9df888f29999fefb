package org.starling.graph;

import java.util.List;

/**
 * Columns of vertices side by side, for whoever writes them into a file. Confined to one thread.
 *
 * @param names of the columns
 * @param cursors of the columns, at least one; all stand on the same vertex, are moved together,
 *     and are closed by whoever has made them
 * @param textIds whether original ids are texts
 * @param texts the original ids, where they are texts
 */
public record VertexColumns(
        List<String> names, List<StateCursor> cursors, boolean textIds, Texts texts) {
    /** Finds original ids that are texts. */
    public interface Texts {
        /** The texts that numbers stand for, in their order; all are read at once. */
        List<String> of(long[] numbers);
    }

    /** Copies the lists. */
    public VertexColumns {
        names = List.copyOf(names);
        cursors = List.copyOf(cursors);
        if (names.isEmpty() || names.size() != cursors.size()) {
            throw new IllegalArgumentException(
                    names.size() + " names of " + cursors.size() + " columns");
        }
    }
}
