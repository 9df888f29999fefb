package org.starling.graph;

/** A part of a structure as a {@link PartProgram} sees it: a cursor over its entries, in order. */
public interface StructurePart {
    /** Moves to the next entry; false at the end. */
    boolean next();

    /** Place of the entry in a list or table. */
    long index();

    /**
     * The key of the entry, in a map.
     *
     * @throws IllegalArgumentException if keys are of another type, or there are none
     */
    <T> T key(ElementType<T> type);

    /**
     * The value of the entry, in a map or list.
     *
     * @throws IllegalArgumentException if values are of another type
     */
    <T> T value(ElementType<T> type);

    /**
     * A value of the row, in a table.
     *
     * @param column number of the column, from 0 on
     * @throws IllegalArgumentException if the column is of another type
     */
    <T> T value(int column, ElementType<T> type);

    /**
     * Emits a row.
     *
     * @param values one for each column of the table that takes them
     * @throws IllegalArgumentException if there are more or fewer, or one is of another type
     */
    void emit(Object... values);
}
