package org.starling.loaders.table;

import org.jspecify.annotations.Nullable;

/** A page of a column: so many values, of which some may be missing. Confined to one thread. */
final class ParquetPage {
    private final @Nullable ParquetRuns levels;
    private final ParquetValues values;
    private int left;

    /**
     * A page.
     *
     * @param levels 1 for each value that is there, 0 for each that is missing; null if all are
     *     there
     */
    ParquetPage(int count, @Nullable ParquetRuns levels, ParquetValues values) {
        this.left = count;
        this.levels = levels;
        this.values = values;
    }

    boolean isEmpty() {
        return left == 0;
    }

    void next(TableBatch batch, int index) {
        left--;
        if (levels != null && levels.next() == 0) {
            batch.putNothing(index);
        } else {
            values.next(batch, index);
        }
    }
}
