package org.starling.graph;

/** A row of a {@link StoredTable}. */
public interface TableRow {
    /** Its number, from 0 on. */
    long index();

    /**
     * A value.
     *
     * @param column number of the column, from 0 on
     * @param type of the column
     * @throws IllegalArgumentException if the column is of another type
     */
    <T> T get(int column, ElementType<T> type);
}
