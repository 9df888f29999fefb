package org.starling.loaders.table;

import org.starling.graph.Declaration;

/**
 * A column of a table.
 *
 * @param name its name
 * @param kind of its values, or of their elements
 * @param length number of elements of each value; 1 if it is no vector
 * @param optional whether a value may be missing
 */
public record TableColumn(String name, Kind kind, int length, boolean optional) {
    /** What elements are. */
    public enum Kind {
        /** True or false. */
        BOOLEAN,
        /** Whole numbers of 32 bits. */
        INT,
        /** Whole numbers of 64 bits. */
        LONG,
        /** Whole numbers of 64 bits without sign: ids of vertices. */
        ID,
        /** Floating point numbers of 32 bits. */
        FLOAT,
        /** Floating point numbers of 64 bits. */
        DOUBLE,
        /** Texts in UTF-8. */
        STRING
    }

    /** Checks the length. */
    public TableColumn {
        if (length < 1
                || length > Declaration.MAX_VECTOR_LENGTH
                || (length > 1 && (kind == Kind.STRING || optional))) {
            throw new IllegalArgumentException(
                    "column %s of %d elements of %s".formatted(name, length, kind));
        }
    }

    /** A column of one element whose values are all there. */
    public static TableColumn of(String name, Kind kind) {
        return new TableColumn(name, kind, 1, false);
    }
}
