package org.starling.graph;

import java.util.List;
import java.util.function.Consumer;

/** A table in the store to which rows are only appended, see {@link Structures}. */
public interface StoredTable {
    /**
     * A column.
     *
     * @param name its name, letters, digits and {@code _}
     * @param type of its values
     */
    record Column(String name, ElementType<?> type) {
        /** Checks the name. */
        public Column {
            if (!name.matches("[A-Za-z_][A-Za-z_0-9]{0,127}")) {
                throw new InvalidInputException(
                        "\"%s\" is no name of a column: up to 128 letters, digits and _"
                                .formatted(name));
            }
        }
    }

    /** The columns, in their order. */
    List<Column> columns();

    /**
     * Appends a row.
     *
     * @param values one for each column, in their order
     * @throws IllegalArgumentException if there are more or fewer, or one is of another type
     */
    void append(Object... values);

    /** Number of rows. */
    long size();

    /**
     * Shows all rows in their order; the row is a cursor, valid until the next one. The table must
     * not be changed meanwhile.
     *
     * @throws IllegalStateException if it is
     */
    void forEach(Consumer<? super TableRow> each);
}
